/// Where the app begins.
public enum ShowcaseVersion {}
