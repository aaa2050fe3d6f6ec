package dev.holdfast.dynamodb;

import dev.holdfast.dynamodb.table.DynamoTable;
import dev.holdfast.dynamodb.table.DynamoTransport;
import dev.holdfast.dynamodb.table.ServiceClock;
import dev.holdfast.store.HostEnvironment;
import dev.holdfast.store.LeaseStore;
import java.time.Instant;
import java.util.function.Supplier;

/** Stores of any layout on a service with response dates chosen by the test. */
public final class DatedStores {
    private DatedStores() {}

    public static LeaseStore open(String url, HostEnvironment hostEnvironment, Supplier<Instant> serviceTime) {
        DynamoUrl parsed = DynamoUrl.parse(url);
        ServiceClock clock = new ServiceClock(hostEnvironment);
        Way way = new Way(DynamoTransport.http(parsed), serviceTime);
        return parsed.layout()
                .open(new DynamoTable(DynamoTransport.client(parsed, way, clock), parsed, clock), hostEnvironment);
    }
}
