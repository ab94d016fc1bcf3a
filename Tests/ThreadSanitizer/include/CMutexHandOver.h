// Nothing to call: what MutexHandOver.c defines takes its place when it is linked.
