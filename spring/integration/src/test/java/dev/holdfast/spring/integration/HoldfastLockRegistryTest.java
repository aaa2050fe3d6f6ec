package dev.holdfast.spring.integration;

import dev.holdfast.locks.BridgeStore.Backend;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;

/** The lock registry on all kinds of stores, and through a server. */
class HoldfastLockRegistryTest {
    @Nested
    class OnSqlite extends LockRegistrySuite {
        OnSqlite() {
            super(Backend.SQLITE);
        }
    }

    @Nested
    @Tag("slow")
    class OnPostgresql extends LockRegistrySuite {
        OnPostgresql() {
            super(Backend.POSTGRESQL);
        }
    }

    @Nested
    @Tag("slow")
    class ThroughAServer extends LockRegistrySuite {
        ThroughAServer() {
            super(Backend.SERVER);
        }
    }
}
