package dev.holdfast.bench.zookeeper;

import dev.holdfast.bench.contender.ContenderFactory;
import dev.holdfast.bench.contender.ContenderSettings;
import dev.holdfast.bench.contender.LockContender;

/** Opens Curator. */
public final class CuratorFactory implements ContenderFactory {
    @Override
    public LockContender open(ContenderSettings settings) {
        return new CuratorContender(settings);
    }
}
