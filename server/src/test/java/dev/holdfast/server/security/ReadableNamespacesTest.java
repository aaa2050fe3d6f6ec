package dev.holdfast.server.security;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ReadableNamespacesTest {
    private static List<NamespaceRange> ranges(String... patterns) {
        return Stream.of(patterns).map(NamespaceRange::parse).toList();
    }

    private static ReadableNamespaces reading(String... patterns) {
        return new ReadableNamespaces(ranges(patterns), List.of());
    }

    @Test
    void rangesWithinAPrefixDoNotOverlap() {
        ReadableNamespaces readable = reading("jobs*", "jobs/etl*", "jobs/etl", "other", "other", "\"\"");

        assertThat(readable.within("")).isEqualTo(ranges("\"\"", "jobs*", "other"));
        assertThat(readable.within("jobs/")).isEqualTo(ranges("jobs/*"));
        assertThat(readable.within("oth")).isEqualTo(ranges("other"));
        assertThat(readable.within("secret")).isEmpty();
        assertThat(readable.isAll()).isFalse();
        assertThat(reading("*", "jobs").isAll()).isTrue();
        assertThat(reading("*", "jobs").within("")).isEqualTo(ranges("*"));
    }

    /** The same as for requests: see CallerPermissions. */
    @Test
    void aCallerThatMayLeaseInAFleetMayReadItsAnchors() {
        for (String permission :
                List.of("lease=fleet/crew*", "lease=fleet/*", "lease=*", "lease=fleet/crew", "read=fleet/*")) {
            CallerPermissions caller = CallerPermissions.parse("ann", List.of(permission, "read=jobs"));
            ReadableNamespaces readable = new ReadableNamespaces(
                    caller.ranges(AccessGuard.Access.READ, ""), caller.ranges(AccessGuard.Access.LEASE, ""));
            for (String namespace : List.of(
                    "~anchors/crew/",
                    "~anchors/crew",
                    "~anchors//ann",
                    "~anchors/crews/",
                    "~anchors/a/b/",
                    "fleet/crew",
                    "jobs",
                    "x")) {
                assertThat(readable.includes(namespace))
                        .as(permission + " " + namespace)
                        .isEqualTo(caller.allow(AccessGuard.Access.READ, namespace));
            }
        }
    }
}
