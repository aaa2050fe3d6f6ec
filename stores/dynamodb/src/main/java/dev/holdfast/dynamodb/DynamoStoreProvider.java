package dev.holdfast.dynamodb;

import dev.holdfast.spi.LeaseStore;
import dev.holdfast.spi.Runtime;
import dev.holdfast.spi.StoreProvider;
import java.util.Set;

/** {@code dynamodb://TABLE?region=...&endpoint=...&layout=...}. */
public final class DynamoStoreProvider implements StoreProvider {
    @Override
    public Set<String> schemes() {
        return Set.of(DynamoUrl.SCHEME);
    }

    @Override
    public LeaseStore open(String url, Runtime runtime) {
        DynamoUrl parsed = DynamoUrl.parse(url);
        return parsed.layout().open(Table.open(parsed, runtime), runtime);
    }
}
