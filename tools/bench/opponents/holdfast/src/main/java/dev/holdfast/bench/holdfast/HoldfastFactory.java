package dev.holdfast.bench.holdfast;

import dev.holdfast.bench.contender.ContenderFactory;
import dev.holdfast.bench.contender.ContenderSettings;
import dev.holdfast.bench.contender.LockContender;
import dev.holdfast.dynamodb.DynamoStoreProvider;

/** Opens Holdfast on the store of the URL, or through the server of the URL; or a client of accord's wire. */
public final class HoldfastFactory implements ContenderFactory {
    @Override
    public LockContender open(ContenderSettings settings) {
        if (settings.opponent().endsWith("accord-wire")) {
            return new AccordWireContender(settings);
        }
        if (settings.url().startsWith("dynamodb:")) {
            // The SDK's default credentials chain reads these first. DynamoDB Local accepts any.
            System.setProperty("aws.accessKeyId", "local");
            System.setProperty("aws.secretAccessKey", "local");
            new DynamoStoreProvider().init(settings.url(), progress -> {});
        }
        return new LeasesContender(settings);
    }
}
