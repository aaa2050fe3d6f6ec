package dev.holdfast.dynamodb;

import dev.holdfast.spi.LeaseStore;
import dev.holdfast.spi.Runtime;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** Tables of the native layout, and stores on them. */
final class Tables {
    private Tables() {}

    /**
     * A new table without a time to live, and its URL: DynamoDB Local removes what expired by the clock of this machine,
     * within a second, and tests have clocks of their own.
     */
    static String create() {
        String url = LocalDynamo.url(LocalDynamo.freshTable());
        DynamoUrl parsed = DynamoUrl.parse(url);
        try (DynamoDbClient client = LocalDynamo.client()) {
            client.createTable(TableSetup.newTable(parsed, Billing.of(parsed)));
        }
        return url;
    }

    static NativeStore open(String url, Runtime runtime, ExecutionInterceptor... interceptors) {
        return (NativeStore) openAny(url, runtime, interceptors);
    }

    /** @param interceptors see requests after all else, and answers before all else */
    static LeaseStore openAny(String url, Runtime runtime, ExecutionInterceptor... interceptors) {
        DynamoUrl parsed = DynamoUrl.parse(url);
        ServiceClock clock = new ServiceClock(runtime);
        ExecutionInterceptor[] all = new ExecutionInterceptor[interceptors.length + 1];
        all[0] = clock;
        System.arraycopy(interceptors, 0, all, 1, interceptors.length);
        return parsed.layout().open(new Table(Transport.client(parsed, all), parsed, clock), runtime);
    }
}
