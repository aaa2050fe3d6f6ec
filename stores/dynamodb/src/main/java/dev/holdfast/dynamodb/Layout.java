package dev.holdfast.dynamodb;

import dev.holdfast.spi.LeaseStore;
import dev.holdfast.spi.Runtime;
import java.util.Set;

/** How entries lie in a table, by the word that a URL has for it. */
public enum Layout {
    /** Our own. */
    NATIVE {
        @Override
        Set<String> parameters() {
            return Set.of("judge", "skew", "billing", "read", "write");
        }

        @Override
        LeaseStore open(Table table, Runtime runtime) {
            return new NativeStore(table, runtime);
        }
    };

    /** The names that this layout understands in a URL, beside those that all understand. */
    abstract Set<String> parameters();

    /** Opens the store, which closes {@code table} when it is closed. */
    abstract LeaseStore open(Table table, Runtime runtime);
}
