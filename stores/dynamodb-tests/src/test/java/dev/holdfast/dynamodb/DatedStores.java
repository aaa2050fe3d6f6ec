package dev.holdfast.dynamodb;

import dev.holdfast.spi.LeaseStore;
import dev.holdfast.spi.Runtime;
import java.time.Instant;
import java.util.function.Supplier;

/** Stores of any layout on a service whose answers bear the date that a test wants. */
public final class DatedStores {
    private DatedStores() {}

    public static LeaseStore open(String url, Runtime runtime, Supplier<Instant> serviceTime) {
        DynamoUrl parsed = DynamoUrl.parse(url);
        ServiceClock clock = new ServiceClock(runtime);
        Way way = new Way(Transport.http(parsed), serviceTime);
        return parsed.layout().open(new Table(Transport.client(parsed, way, clock), parsed, clock), runtime);
    }
}
