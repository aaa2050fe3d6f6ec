package dev.holdfast.shedlock;

import dev.holdfast.locks.BridgeStore.Backend;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import net.javacrumbs.shedlock.test.support.FuzzTester;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** ShedLock's own suites on all kinds of stores, and through a server. */
class ShedLockSuitesTest {
    /** Twice the steps of the boot clock. */
    private static final Duration SQLITE_MARGIN = Duration.ofMillis(21);

    @Nested
    @Tag("slow")
    class OnSqlite extends ShedLockSuite {
        OnSqlite() {
            super(Backend.SQLITE, SQLITE_MARGIN);
        }
    }

    @Nested
    class OnPostgresqlWithoutStep extends ShedLockSuite {
        OnPostgresqlWithoutStep() {
            super(Backend.POSTGRESQL_WITHOUT_STEP, Duration.ZERO);
        }
    }

    @Nested
    @Tag("slow")
    class ThroughAServer extends ShedLockSuite {
        ThroughAServer() {
            super(Backend.SERVER, SQLITE_MARGIN);
        }
    }

    /** With the default step of half a second: the suites' durations are as much longer. */
    @Nested
    @Tag("slow")
    class OnPostgresql extends ShedLockSuite {
        private static final Duration MARGIN = Duration.ofMillis(510);

        OnPostgresql() {
            super(Backend.POSTGRESQL, MARGIN);
        }

        @Test
        @Override
        public void shouldTimeout() throws InterruptedException {
            doTestTimeout(Duration.ofSeconds(1));
        }

        @Test
        @Override
        public void shouldLockAtLeastFor() throws InterruptedException {
            doTestShouldLockAtLeastFor(Math.toIntExact(MARGIN.toMillis()) + 100);
        }

        /** Each round takes half a second. */
        @Test
        @Override
        public void fuzzTestShouldPass() throws InterruptedException, ExecutionException {
            new FuzzTester(getLockProvider(), Duration.ofMillis(1), Duration.ofMinutes(5), 2).doFuzzTest();
        }
    }
}
