package dev.holdfast.dynamodb;

import dev.holdfast.spi.LeaseStore;
import dev.holdfast.spi.Runtime;
import java.util.function.UnaryOperator;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** Tables of the native layout, and stores on them. */
final class Tables {
    private Tables() {}

    /**
     * A new table without a time to live, and its URL: DynamoDB Local removes what expired by the clock of this machine,
     * within a second, and tests have clocks of their own.
     */
    static String create() {
        return create("");
    }

    /** @param query what follows in the URL, such as {@code &layout=kcl} */
    static String create(String query) {
        String url = LocalDynamo.patientUrl(LocalDynamo.freshTable()) + query;
        DynamoUrl parsed = DynamoUrl.parse(url);
        try (DynamoDbClient client = LocalDynamo.client()) {
            client.createTable(TableSetup.newTable(parsed, Billing.of(parsed)));
        }
        return url;
    }

    static NativeStore open(String url, Runtime runtime) {
        return (NativeStore) new DynamoStoreProvider().open(url, runtime);
    }

    /** A store whose requests go through {@code http}, which is on the way to the service. */
    static NativeStore open(String url, Runtime runtime, UnaryOperator<SdkHttpClient> http) {
        return (NativeStore) openAny(url, runtime, http);
    }

    /** The same of any layout. */
    static LeaseStore openAny(String url, Runtime runtime, UnaryOperator<SdkHttpClient> http) {
        DynamoUrl parsed = DynamoUrl.parse(url);
        ServiceClock clock = new ServiceClock(runtime);
        SdkHttpClient way = http.apply(Transport.http(parsed));
        return parsed.layout().open(new Table(Transport.client(parsed, way, clock), parsed, clock), runtime);
    }
}
