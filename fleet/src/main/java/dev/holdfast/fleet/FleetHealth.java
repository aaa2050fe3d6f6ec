package dev.holdfast.fleet;

/**
 * How a worker is.
 *
 * @param reason in words; empty if it is healthy
 */
public record FleetHealth(boolean isHealthy, String reason) {
    public static final FleetHealth GOOD = new FleetHealth(true, "");

    public static FleetHealth bad(String reason) {
        return new FleetHealth(false, reason);
    }
}
