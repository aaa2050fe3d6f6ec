package dev.holdfast.shedlock;

import dev.holdfast.AcquireOptions;
import dev.holdfast.AcquireResult;
import dev.holdfast.Key;
import dev.holdfast.Lease;
import dev.holdfast.LeaseLostException;
import dev.holdfast.Leases;
import dev.holdfast.LostReason;
import dev.holdfast.NotGrantedException;
import dev.holdfast.Token;
import dev.holdfast.rules.ClockReading;
import dev.holdfast.service.LeaseService;
import java.util.Optional;
import java.util.function.BiConsumer;
import net.javacrumbs.shedlock.core.ExtensibleLockProvider;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.SimpleLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A lock provider for ShedLock on the leases of Holdfast.
 *
 * <pre>{@code
 * @Bean
 * LockProvider lockProvider(Leases leases) {
 *     return new HoldfastLockProvider(leases);
 * }
 * }</pre>
 *
 * <ul>
 *   <li>{@code lockAtMostFor} is the term of the lease, up to 7 days. It is a bound: the lease is not renewed in the background.
 *       Other processes get the lock a little later than ShedLock would give it to them, because clocks differ: see the margin of
 *       your store.
 *   <li>{@code lockAtLeastFor}: an early unlock shortens the term, so that it ends then.
 *   <li>A lock can be extended until it has expired.
 *   <li>Locks are keys in the namespace {@code shedlock}: the command and the server show them.
 *   <li>A lock that is still held when the client is closed stays held until it expires, as the task may still be running.
 * </ul>
 *
 * <p>ShedLock cannot tell a task that its lock was lost, which happens if the task runs longer than {@code lockAtMostFor}.
 * {@link #onLost} is called when the task has ended.
 *
 * <p>Immutable; thread-safe. It does not close the client.
 */
public final class HoldfastLockProvider implements ExtensibleLockProvider {
    /** The namespace of the locks. */
    public static final String DEFAULT_NAMESPACE = "shedlock";

    private static final Logger log = LoggerFactory.getLogger(HoldfastLockProvider.class);

    private final Leases leases;
    private final LeaseService service;
    private final String namespace;
    private final BiConsumer<Key, LostReason> onLost;

    public HoldfastLockProvider(Leases leases) {
        this(leases, DEFAULT_NAMESPACE, HoldfastLockProvider::warn);
    }

    private HoldfastLockProvider(Leases leases, String namespace, BiConsumer<Key, LostReason> onLost) {
        this.leases = leases;
        this.service = LeaseService.of(leases);
        this.namespace = namespace;
        this.onLost = onLost;
    }

    private static void warn(Key key, LostReason reason) {
        log.warn(
                "{}: the lock was lost before its task ended ({}); another process may have run the task", key, reason);
    }

    /** With the locks in another namespace: applications that share a store and use equal names need different ones. */
    public HoldfastLockProvider namespace(String newNamespace) {
        return new HoldfastLockProvider(leases, Key.of(newNamespace, "any").namespace(), onLost);
    }

    /** With another callback for a lock that another process was granted before it was unlocked. By default a warning is logged. */
    public HoldfastLockProvider onLost(BiConsumer<Key, LostReason> newCallback) {
        return new HoldfastLockProvider(leases, namespace, newCallback);
    }

    /**
     * Makes one attempt.
     *
     * @return empty if the lock is held
     * @throws IllegalArgumentException if {@code lockAtMostFor} is zero or longer than 7 days
     * @throws NotGrantedException if the key is done, so that it is never granted
     */
    @Override
    public Optional<SimpleLock> lock(LockConfiguration configuration) {
        LockTimes times = LockTimes.of(configuration);
        Key key = Key.of(namespace, configuration.getName());
        ClockReading sent = service.reading();
        AcquireOptions options = AcquireOptions.defaults().autoRenew(false).term(times.grantedTerm());
        AcquireResult result = leases.tryAcquire(key, options);
        if (result instanceof AcquireResult.Done) {
            throw new NotGrantedException(result);
        }
        return result.granted().flatMap(lease -> {
            LeaseSimpleLock lock = new LeaseSimpleLock(this, configuration, key, detached(lease), sent);
            return times.isGrantedLonger() ? lock.extended(configuration) : Optional.of(lock);
        });
    }

    /** The token alone holds the lock: closing the client must not release the lock of a task that is still running. */
    private static Token detached(Lease lease) {
        Token token = lease.token();
        try {
            return lease.detach();
        } catch (LeaseLostException e) {
            return token; // The term was so short that it is over: the lock is given to its caller as expired.
        }
    }

    Leases leases() {
        return leases;
    }

    LeaseService service() {
        return service;
    }

    void lost(Key key, LostReason reason) {
        onLost.accept(key, reason);
    }
}
