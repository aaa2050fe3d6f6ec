package dev.holdfast.rules;

import dev.holdfast.store.Change;
import dev.holdfast.store.Entry;
import dev.holdfast.store.Version;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The rules that settle a change without an answer: whether it was applied, and how to make sure that it never will be.
 *
 * <p>Sending the same change again settles it if it gets an answer. Giving up is harder: a read that still shows the
 * old version settles nothing, because the lost write may yet arrive. So the client writes the same entry under another
 * version. From then on the late change can never be applied, as versions are never reused.
 */
public class SettlementRules {
    private final FenceRules fenceRules;

    public SettlementRules(FenceRules fenceRules) {
        this.fenceRules = fenceRules;
    }

    /**
     * The write after which {@code doubtful} can no longer take effect.
     *
     * @param expected the entry that {@code doubtful} was to replace; null if none
     */
    public Change bar(Change doubtful, @Nullable Entry expected, WriteStamp writeStamp) {
        Version version = ImportRules.unchanged(doubtful, expected, writeStamp);
        if (expected == null) {
            Entry empty = Entry.empty(
                    doubtful.key(), version, fenceRules.next(writeStamp.floor(), writeStamp), writeStamp.now());
            return Change.insert(empty);
        }
        return Change.replace(expected.version(), expected.withVersion(version));
    }

    /** Whether {@code change}, answered by a conflict with {@code current}, was applied and led to that entry. */
    public boolean tookEffect(Change change, @Nullable Entry current) {
        Entry next = change.next();
        if (next == null || current == null) {
            return false;
        }
        Version written = next.version();
        // Another client may have replaced its version since, by barring a change of its own. The beat still identifies
        // this change.
        boolean itsBeat = current.grant() != null
                && Objects.equals(current.grant().beat().id(), written.id())
                && current.state() == next.state();
        return current.version().equals(written) || itsBeat;
    }
}
