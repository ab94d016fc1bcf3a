/// Where tests begin.
public enum StatecastTestingVersion {}
