package dev.holdfast.bench.compare;

/**
 * One column of a load's table.
 *
 * @param size the callers, or the leases
 * @param async whether the callers are asynchronous
 */
record LoadCell(String name, int size, boolean async) {
    static LoadCell threads(int callers) {
        return new LoadCell(callers + (callers == 1 ? " thread" : " threads"), callers, false);
    }

    static LoadCell asynchronous(int callers) {
        return new LoadCell(callers + " async", callers, true);
    }
}
