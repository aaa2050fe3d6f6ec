package dev.holdfast.testkit.stores;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.store.Change;
import dev.holdfast.store.LeaseStore;
import dev.holdfast.store.WriteOutcome;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** {@link LeaseStoreContract}, and tests that acknowledged writes survive closing and reopening the store. */
public abstract class DurableLeaseStoreContract extends LeaseStoreContract {
    /** For subclasses. */
    protected DurableLeaseStoreContract() {}

    /** Opens a store on the entries of {@code closed}, as another process would. */
    public abstract LeaseStore reopen(LeaseStore closed);

    @Test
    void acknowledgedWritesSurviveAReopen() {
        var first = put(held("a"));
        var second = replace(first, renewed(first));
        var gone = put(held("b"));
        remove(gone);

        reopenStore();

        assertThat(stored(first.key())).isEqualTo(second);
        assertThat(stored(gone.key())).isNull();
        assertConflict(apply(Change.replace(first.version(), renewed(first))), second);
        replace(second, renewed(second));
    }

    @Test
    void aReopenDoesNotResetTheAgeOfABeat() {
        var entry = put(held("a"));
        elapse(PAUSE);

        reopenStore();

        assertAge(read(entry.key()).orElseThrow(), PAUSE, Duration.ofMinutes(1));
    }

    @Test
    void theFenceFloorSurvivesAReopen() {
        var entry = put(withFence(held("a"), 2000));
        remove(entry);

        reopenStore();

        var outcome = apply(Change.insert(withFence(held("a"), 2000)));
        assertThat(outcome.equals(WriteOutcome.APPLIED)).isEqualTo(!keepsFenceFloor());
    }

    private void reopenStore() {
        store().close();
        continueWith(reopen(store()));
    }
}
