package dev.holdfast.bench.dynamodb;

import dev.holdfast.bench.contender.ContenderFactory;
import dev.holdfast.bench.contender.ContenderSettings;
import dev.holdfast.bench.contender.LockContender;

/** Opens the Amazon DynamoDB Lock Client. */
public final class LockClientFactory implements ContenderFactory {
    @Override
    public LockContender open(ContenderSettings settings) {
        return new DynamoLockContender(settings);
    }
}
