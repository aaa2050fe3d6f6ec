package dev.holdfast.spring.actuator;

import dev.holdfast.fleet.Fleet;
import dev.holdfast.fleet.FleetHealth;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;

/** Asks each worker of this application for its health, without any I/O. Down: a fleet is stalled. */
final class FleetHealthIndicator implements HealthIndicator {
    private final ObjectProvider<Fleet> fleets;

    FleetHealthIndicator(ObjectProvider<Fleet> fleets) {
        this.fleets = fleets;
    }

    @Override
    public Health health() {
        Health.Builder health = Health.up();
        fleets.stream().forEach(fleet -> {
            FleetHealth found = fleet.health();
            health.withDetail(fleet.name(), found.isHealthy() ? "healthy" : found.reason());
            if (!found.isHealthy()) {
                health.down().withDetail("problem", "fleet stalled");
            }
        });
        return health.build();
    }
}
