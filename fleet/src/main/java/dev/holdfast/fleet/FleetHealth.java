package dev.holdfast.fleet;

/**
 * The health of a worker.
 *
 * @param reason why it is unhealthy; empty if it is healthy
 */
public record FleetHealth(boolean isHealthy, String reason) {
    public static final FleetHealth GOOD = new FleetHealth(true, "");

    public static FleetHealth bad(String reason) {
        return new FleetHealth(false, reason);
    }
}
