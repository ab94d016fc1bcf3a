/// Where the client begins.
public enum StatecastClientVersion {}
