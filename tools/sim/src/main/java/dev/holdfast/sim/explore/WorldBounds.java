package dev.holdfast.sim.explore;

/**
 * The bounds of an explored world. Within them every schedule is explored.
 *
 * @param clients 1 to 3
 * @param keys the keys that clients lease, without the anchor
 * @param anchored whether client 0 has an anchor, and acquires its leases under it
 * @param storeHasClock whether the store returns the ages of beats
 * @param slowClients how many clients have a clock at the slow end of the drift bound; the others are at the fast end
 * @param operations how many requests all clients start together
 * @param timeSteps how often time passes: half a term
 * @param fineTime whether half a millisecond may pass, too, which is what the drift bound adds to half a term
 * @param lost how many messages are lost
 * @param doubled how many messages arrive twice
 * @param crashes how many clients crash
 * @param evictions how many of the operations may be evictions by force
 */
public record WorldBounds(
        int clients,
        int keys,
        boolean anchored,
        boolean storeHasClock,
        int slowClients,
        int operations,
        int timeSteps,
        boolean fineTime,
        int lost,
        int doubled,
        int crashes,
        int evictions) {
    /** The same with these numbers of operations and steps of time. */
    WorldBounds with(int newOperations, int newTimeSteps) {
        return new WorldBounds(
                clients,
                keys,
                anchored,
                storeHasClock,
                slowClients,
                newOperations,
                newTimeSteps,
                fineTime,
                lost,
                doubled,
                crashes,
                evictions);
    }

    WorldBounds finely() {
        return new WorldBounds(
                clients,
                keys,
                anchored,
                storeHasClock,
                slowClients,
                operations,
                timeSteps,
                true,
                lost,
                doubled,
                crashes,
                evictions);
    }

    WorldBounds faults(int newLost, int newDoubled, int newCrashes) {
        return new WorldBounds(
                clients,
                keys,
                anchored,
                storeHasClock,
                slowClients,
                operations,
                timeSteps,
                fineTime,
                newLost,
                newDoubled,
                newCrashes,
                evictions);
    }

    WorldBounds evictions(int newEvictions) {
        return new WorldBounds(
                clients,
                keys,
                anchored,
                storeHasClock,
                slowClients,
                operations,
                timeSteps,
                fineTime,
                lost,
                doubled,
                crashes,
                newEvictions);
    }

    WorldBounds underAnAnchor() {
        return new WorldBounds(
                clients,
                keys,
                true,
                storeHasClock,
                slowClients,
                operations,
                timeSteps,
                fineTime,
                lost,
                doubled,
                crashes,
                evictions);
    }

    /** All keys of the world, with the anchor as the last one. */
    int allKeys() {
        return keys + (anchored ? 1 : 0);
    }

    /** The index of the anchor among the keys. */
    int anchorKey() {
        return keys;
    }

    boolean isSlow(int client) {
        return client < slowClients;
    }

    @Override
    public String toString() {
        return clients + " clients (" + slowClients + " slow), " + keys + (keys == 1 ? " key" : " keys")
                + (anchored ? " and an anchor" : "") + ", store " + (storeHasClock ? "with" : "without") + " a clock, "
                + operations + " operations, " + timeSteps + (fineTime ? " fine" : "") + " steps of time, " + lost
                + " lost, " + doubled
                + " doubled, " + crashes + " crashes, " + evictions + " evictions";
    }
}
