package dev.holdfast.server.security;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Key;
import dev.holdfast.server.security.AccessGuard.Access;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The part of a prefix that a caller may read: only this is scanned for a watch. */
class PermissionRangesTest {
    private final CallerPermissions callerPermissions = CallerPermissions.parse("ann", List.of("read=t1/*,jobs"));

    @Test
    void aPrefixIsClampedToThePermissionsOfTheCaller() {
        assertThat(callerPermissions.ranges(Access.READ, ""))
                .containsExactly(new NamespaceRange("t1/", true), new NamespaceRange("jobs", false));
        assertThat(callerPermissions.ranges(Access.READ, "j")).containsExactly(new NamespaceRange("jobs", false));
    }

    @Test
    void aPrefixWithinAPermissionStays() {
        assertThat(callerPermissions.ranges(Access.READ, "t1/a")).containsExactly(new NamespaceRange("t1/a", true));
        assertThat(CallerPermissions.all("ann").ranges(Access.READ, "")).containsExactly(new NamespaceRange("", true));
    }

    @Test
    void nothingIsLeftOfAPrefixThatTheCallerMayNotRead() {
        assertThat(callerPermissions.ranges(Access.READ, "t2/")).isEmpty();
        assertThat(callerPermissions.ranges(Access.ADMINISTER, "")).isEmpty();
    }

    @Test
    void aWorkerOfAFleetMayWatchTheAnchorsOfThatFleet() {
        CallerPermissions worker = CallerPermissions.parse("ann", List.of("lease=fleet/crew,fleet/crew/*"));

        assertThat(worker.ranges(Access.READ, "~anchors/crew/"))
                .containsExactly(new NamespaceRange("~anchors/crew/", false));
        assertThat(worker.ranges(Access.READ, "~anchors/other/")).isEmpty();
    }

    @Test
    void onlyAdministratorsMayWriteOrdersToAFleet() {
        assertThat(FleetOrderKeys.needed(Access.LEASE, "fleet/crew/control")).isEqualTo(Access.ADMINISTER);
        assertThat(FleetOrderKeys.needed(Access.LEASE, "fleet/crew/control/paused"))
                .isEqualTo(Access.ADMINISTER);
        assertThat(FleetOrderKeys.needed(Access.READ, "fleet/crew/control/paused"))
                .isEqualTo(Access.READ);
        assertThat(FleetOrderKeys.needed(Access.LEASE, "fleet/crew/units")).isEqualTo(Access.LEASE);
        assertThat(FleetOrderKeys.needed(Access.LEASE, "fleet/crew/controls")).isEqualTo(Access.LEASE);
        assertThat(FleetOrderKeys.needed(Access.LEASE, "fleet/crew")).isEqualTo(Access.LEASE);

        assertThat(FleetOrderKeys.deletableBy(Key.of("fleet/crew/control/moves", "a")))
                .isEqualTo("fleet/crew");
        assertThat(FleetOrderKeys.deletableBy(Key.of("fleet/crew/control/paused", "a")))
                .isEmpty();
        assertThat(FleetOrderKeys.deletableBy(Key.of("fleet/a/b/control/moves", "a")))
                .isEmpty();
    }
}
