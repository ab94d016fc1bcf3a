/// JSON text to and from `Value`, and RFC 6902 patches.
public enum JSONText {}
