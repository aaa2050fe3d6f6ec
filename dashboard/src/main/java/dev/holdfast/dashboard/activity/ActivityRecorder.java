package dev.holdfast.dashboard.activity;

import dev.holdfast.Fence;
import dev.holdfast.Key;
import dev.holdfast.LeaseListener;
import dev.holdfast.LostReason;
import dev.holdfast.history.GrantEnd;
import dev.holdfast.history.PastGrant;
import dev.holdfast.rules.ObservedEntry;
import dev.holdfast.service.LeaseService;
import dev.holdfast.store.Entry;
import dev.holdfast.store.Grant;
import java.util.Locale;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The recorder of a server's events. It always runs, so that a dashboard shows the past when it is opened, and takes a fixed amount
 * of memory: less than 3 MB with keys of usual length. Thread-safe; never blocks.
 */
public final class ActivityRecorder implements LeaseListener {
    private final RateSeries rates;
    private final LossLog losses;
    private final WaitSamples waits;
    private volatile @Nullable LeaseService service;

    public ActivityRecorder() {
        this(System::nanoTime);
    }

    ActivityRecorder(LongSupplier nanos) {
        this.rates = new RateSeries(nanos);
        this.losses = new LossLog(nanos);
        this.waits = new WaitSamples(nanos);
    }

    /** Connects the recorder with the service whose events it receives. */
    public void observe(LeaseService newService) {
        service = newService;
    }

    public RateSeries rates() {
        return rates;
    }

    public LossLog losses() {
        return losses;
    }

    public WaitSamples waits() {
        return waits;
    }

    @Override
    public void onGranted(Key key, Fence fence) {
        rates.granted();
        Entry entry = lastSeen(key);
        if (entry != null && entry.fence().equals(fence) && !entry.history().isEmpty()) {
            entry.history().last().ifPresent(before -> noteExpiry(key, entry, before));
        }
    }

    /** A grant that follows an expired one: the holder before was silent, so no request of its own reported the loss. */
    private void noteExpiry(Key key, Entry entry, PastGrant before) {
        boolean isBefore = before.number() == entry.grants() - 1;
        if (isBefore && (before.end() == GrantEnd.EXPIRED || before.end() == GrantEnd.ORPHANED)) {
            lost(
                    key,
                    before.holder().name(),
                    before.end() == GrantEnd.EXPIRED ? "expired" : "orphaned",
                    before.end() == GrantEnd.EXPIRED
                            ? "the holder stopped renewing, and another holder was granted the key"
                            : "the anchor of the lease had ended, and another holder was granted the key",
                    false);
        }
    }

    @Override
    public void onLost(Key key, LostReason reason) {
        lost(key, "", reason.name().toLowerCase(Locale.ROOT), "the holder was notified that its lease is lost", true);
    }

    @Override
    public void onEvicted(Key key, String why) {
        Entry entry = lastSeen(key);
        Grant grant = entry == null ? null : entry.grant();
        lost(key, grant == null ? "" : grant.holder().name(), "evicted", why, false);
    }

    private void lost(Key key, String holder, String reason, String detail, boolean noticed) {
        if (losses.add(key, holder, reason, detail, noticed)) {
            rates.lost();
        }
    }

    /** The entry of a key as this process saw it last. */
    private @Nullable Entry lastSeen(Key key) {
        LeaseService known = service;
        ObservedEntry seen = known == null ? null : known.lastObserved(key);
        return seen == null ? null : seen.entry();
    }

    @Override
    public void onBatch(int changes, long nanos) {
        rates.batch(changes, nanos);
    }

    @Override
    public void onWaitEnded(Key key, long nanos, boolean granted) {
        waits.add(key, nanos);
    }
}
