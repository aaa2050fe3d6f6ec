package dev.holdfast.bench.lettuce;

import dev.holdfast.bench.contender.ContenderFactory;
import dev.holdfast.bench.contender.ContenderSettings;
import dev.holdfast.bench.contender.LockContender;

/** Opens the client of Redis. */
public final class LettuceFactory implements ContenderFactory {
    @Override
    public LockContender open(ContenderSettings settings) {
        return new SetNxContender(settings.url(), settings.term());
    }
}
