package dev.holdfast.bench.redisson;

import dev.holdfast.bench.contender.ContenderFactory;
import dev.holdfast.bench.contender.ContenderSettings;
import dev.holdfast.bench.contender.LockContender;

/** Opens Redisson. */
public final class RedissonFactory implements ContenderFactory {
    @Override
    public LockContender open(ContenderSettings settings) {
        return new RedissonContender(settings);
    }
}
