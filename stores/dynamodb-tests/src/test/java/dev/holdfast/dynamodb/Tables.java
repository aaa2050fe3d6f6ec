package dev.holdfast.dynamodb;

import dev.holdfast.dynamodb.table.DynamoTable;
import dev.holdfast.dynamodb.table.DynamoTransport;
import dev.holdfast.dynamodb.table.ServiceClock;
import dev.holdfast.store.HostEnvironment;
import dev.holdfast.store.LeaseStore;
import java.util.function.UnaryOperator;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** Tables of the native layout, and stores on them. */
final class Tables {
    private Tables() {}

    /**
     * Creates a table without a time to live, and returns its URL. DynamoDB Local would remove items that expired by
     * the clock of this machine within a second, but tests have their own clocks.
     */
    static String create() {
        return create("");
    }

    /** @param query further parameters of the URL, such as {@code &layout=kcl} */
    static String create(String query) {
        String url = LocalDynamo.patientUrl(LocalDynamo.freshTable()) + query;
        DynamoUrl parsed = DynamoUrl.parse(url);
        try (DynamoDbClient client = LocalDynamo.client()) {
            client.createTable(TableSetup.newTable(parsed, TableBilling.of(parsed)));
        }
        return url;
    }

    static NativeTableStore open(String url, HostEnvironment hostEnvironment) {
        return (NativeTableStore) new DynamoStoreProvider().open(url, hostEnvironment);
    }

    /** Opens a store that sends its requests through {@code http}. */
    static NativeTableStore open(String url, HostEnvironment hostEnvironment, UnaryOperator<SdkHttpClient> http) {
        return (NativeTableStore) openAny(url, hostEnvironment, http);
    }

    /** Opens a store of any layout. */
    static LeaseStore openAny(String url, HostEnvironment hostEnvironment, UnaryOperator<SdkHttpClient> http) {
        DynamoUrl parsed = DynamoUrl.parse(url);
        ServiceClock clock = new ServiceClock(hostEnvironment);
        SdkHttpClient way = http.apply(DynamoTransport.http(parsed));
        return parsed.layout()
                .open(new DynamoTable(DynamoTransport.client(parsed, way, clock), parsed, clock), hostEnvironment);
    }
}
