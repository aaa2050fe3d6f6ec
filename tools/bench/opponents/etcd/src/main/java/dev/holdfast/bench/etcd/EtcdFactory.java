package dev.holdfast.bench.etcd;

import dev.holdfast.bench.contender.ContenderFactory;
import dev.holdfast.bench.contender.ContenderSettings;
import dev.holdfast.bench.contender.LockContender;

/** Opens the clients of etcd. */
public final class EtcdFactory implements ContenderFactory {
    @Override
    public LockContender open(ContenderSettings settings) throws Exception {
        return switch (settings.opponent()) {
            case "etcd-lock" -> new EtcdLockContender(settings);
            case "etcd-txn" -> new EtcdTransactionContender(settings);
            default -> throw settings.unknown();
        };
    }
}
