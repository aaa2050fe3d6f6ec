package dev.holdfast.shedlock;

import dev.holdfast.Key;
import dev.holdfast.LeaseLostException;
import dev.holdfast.Leases;
import dev.holdfast.LostReason;
import dev.holdfast.RenewOptions;
import dev.holdfast.Token;
import dev.holdfast.rules.ClockReading;
import dev.holdfast.service.LeaseService;
import java.time.Duration;
import java.util.Optional;
import net.javacrumbs.shedlock.core.AbstractSimpleLock;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.SimpleLock;

/** A lock that was granted or extended, held by a token. */
final class LeaseSimpleLock extends AbstractSimpleLock {
    private final HoldfastLockProvider provider;
    private final Key key;
    private final Token token;
    private final LockTimes times;
    private final ClockReading sent;

    /** @param sent the time just before the request that began the term */
    LeaseSimpleLock(
            HoldfastLockProvider provider, LockConfiguration configuration, Key key, Token token, ClockReading sent) {
        super(configuration);
        this.provider = provider;
        this.key = key;
        this.token = token;
        this.times = LockTimes.of(configuration);
        this.sent = sent;
    }

    @Override
    protected void doUnlock() {
        Leases leases = provider.leases();
        Duration rest = restOfAtLeast();
        try {
            if (!rest.isZero()) {
                // A term that ends at the right time. It may be shorter than the one before: nothing in this
                // process relies on the lock any more.
                leases.renew(key, token, RenewOptions.defaults().term(rest));
            } else if (!leases.release(key, token)) {
                provider.lost(key, LostReason.TAKEN);
            }
        } catch (LeaseLostException e) {
            provider.lost(key, e.reason());
        }
    }

    /** By the ticker, which a change of the wall clock does not move. */
    private Duration restOfAtLeast() {
        long passedNanos = provider.service().nanos() - sent.nanos();
        Duration rest = times.atLeast().minusNanos(passedNanos);
        return rest.isNegative() ? Duration.ZERO : LockTimes.inMillis(rest);
    }

    /** Empty after the end of the term, even if no other process was granted the lock since: ShedLock requires that. */
    @Override
    protected Optional<SimpleLock> doExtend(LockConfiguration configuration) {
        return isExpired() ? Optional.empty() : extended(configuration);
    }

    /** The lock with these times from now on; empty if it was lost. */
    Optional<SimpleLock> extended(LockConfiguration configuration) {
        LockTimes newTimes = LockTimes.of(configuration);
        ClockReading renewed = provider.service().reading();
        try {
            Token proof = provider.leases()
                    .renew(key, token, RenewOptions.defaults().term(newTimes.term()))
                    .token();
            return Optional.of(new LeaseSimpleLock(provider, configuration, key, proof, renewed));
        } catch (LeaseLostException e) {
            return Optional.empty();
        }
    }

    private boolean isExpired() {
        LeaseService service = provider.service();
        return service.validity().elapsed(sent, service.reading()).compareTo(times.term()) >= 0;
    }
}
