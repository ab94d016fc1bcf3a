/// Where the daemon begins.
public enum StatecastDaemonVersion {}
