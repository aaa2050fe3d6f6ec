package dev.holdfast.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.AcquireOptions;
import dev.holdfast.Holdfast;
import dev.holdfast.Key;
import dev.holdfast.LeaseStatus;
import dev.holdfast.Leases;
import dev.holdfast.LeasesOptions;
import dev.holdfast.history.PastGrant;
import java.nio.file.Path;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Processes from before and after the column of histories, on files from before and after it. */
class SqliteHistoryTest {
    private static final Key KEY = Key.of("jobs", "nightly");

    /** The code before histories. */
    private static final SqliteSchema BEFORE =
            new SqliteSchema(1, SqliteSchema.CURRENT.steps().subList(0, 2));

    @TempDir
    Path folder;

    private Path file() {
        return folder.resolve("leases.db");
    }

    private static Leases client(SqliteStore store, String holder) {
        return Holdfast.open(
                store, LeasesOptions.builder().holder(holder).withoutCleanUp().build());
    }

    private static void hold(Leases leases) {
        leases.tryAcquire(KEY, AcquireOptions.defaults()).orThrow().release();
    }

    private static LeaseStatus status(Leases leases) {
        return leases.get(KEY).orElseThrow();
    }

    @Test
    void anOlderProcessLeavesAGapAndKeepsTheRest() {
        try (Leases now = client(Stores.open(file()), "new");
                Leases before = client(Stores.open(file(), BEFORE), "old")) {
            hold(now);
            hold(before);
            hold(before);
            hold(now);

            assertThat(status(now).history().lines())
                    .extracting(PastGrant::number)
                    .containsExactly(1L, 4L);
            assertThat(status(now).history().lines())
                    .allSatisfy(line -> assertThat(line.holder().name()).isEqualTo("new"));
            assertThat(status(now).entry().grants()).isEqualTo(4);
            assertThat(status(before).history().isEmpty()).isTrue();
        }
    }

    @Test
    void aKeyThatAnOlderProcessDeletesLosesItsHistory() {
        try (Leases now = client(Stores.open(file()), "new");
                Leases before = client(Stores.open(file(), BEFORE), "old")) {
            hold(now);
            hold(now);
            before.delete(KEY);
            hold(before);
            assertThat(status(now).history().isEmpty()).isTrue();
            hold(now);

            assertThat(status(now).history().lines())
                    .extracting(PastGrant::number)
                    .containsExactly(2L);
        }
    }

    @Test
    void aFileFromBeforeKeepsNoneUntilItIsUpgraded() {
        Stores.open(file(), BEFORE).close();
        SqliteStoreProvider provider = new SqliteStoreProvider();
        assertThat(provider.check("sqlite:" + file(), Instant::now))
                .anySatisfy(finding -> assertThat(finding.what()).contains("adds the histories of keys"));
        try (Leases running = client(Stores.open(file()), "running")) {
            hold(running);
            assertThat(status(running).history().isEmpty()).isTrue();

            provider.upgrade("sqlite:" + file(), progress -> {});
            try (Leases now = client(Stores.open(file()), "new")) {
                hold(now);
                // A process that was started before the upgrade is like an older one.
                hold(running);
                assertThat(status(running).history().isEmpty()).isTrue();
                hold(now);
                assertThat(status(now).history().lines())
                        .extracting(PastGrant::number)
                        .containsExactly(2L, 4L);
            }
        }
    }
}
