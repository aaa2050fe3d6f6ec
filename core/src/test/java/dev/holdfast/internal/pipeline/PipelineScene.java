package dev.holdfast.internal.pipeline;

import dev.holdfast.AttributePatch;
import dev.holdfast.Attributes;
import dev.holdfast.Fence;
import dev.holdfast.Holder;
import dev.holdfast.Key;
import dev.holdfast.LeaseListener;
import dev.holdfast.Token;
import dev.holdfast.rules.LeaseRequest;
import dev.holdfast.rules.RuleSet;
import dev.holdfast.store.Beat;
import dev.holdfast.store.Entry;
import dev.holdfast.store.Grant;
import dev.holdfast.store.ScriptedStore;
import dev.holdfast.store.StoredEntry;
import dev.holdfast.store.Term;
import dev.holdfast.store.Version;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** A pipeline on a store and a clock that a test controls, and one key that another process holds. */
public final class PipelineScene {
    public static final Key KEY = Key.of("jobs", "nightly");
    static final Term TERM = Term.ofMillis(60_000);
    private static final Instant CREATED = Instant.parse("2025-12-31T00:00:00Z");

    static final Duration OPERATION_TIMEOUT = Duration.ofSeconds(10);
    static final Duration SETTLE_TIMEOUT = Duration.ofSeconds(5);
    static final int QUEUE_LIMIT = 100;

    public final StillEnvironment environment = new StillEnvironment();
    public final ScriptedStore store;
    public final RuleSet rules = RuleSet.of(Duration.ZERO);
    public final RequestPipeline pipeline;
    final List<Key> freed = new ArrayList<>();

    public PipelineScene() {
        this(new ScriptedStore(), LeaseListener.NONE);
    }

    PipelineScene(ScriptedStore store, LeaseListener listener) {
        this.store = store;
        this.pipeline = new RequestPipeline(
                store,
                environment,
                rules,
                new PipelineOptions(OPERATION_TIMEOUT, SETTLE_TIMEOUT, QUEUE_LIMIT, 64, listener),
                freed::add);
    }

    static Version version(int number) {
        return Version.of(new UUID(0x7e, number));
    }

    /** The key as the {@code number}th grant left it. */
    public static Entry held(int number) {
        Grant grant = new Grant(
                Token.of(new UUID(0x70, number)), Holder.of("them"), TERM, Beat.of(version(number)), CREATED, null);
        return Entry.empty(KEY, version(0), Fence.NONE, CREATED)
                .granted(version(number), Fence.of(number), grant, Attributes.NONE);
    }

    public static StoredEntry stored(Entry entry) {
        return new StoredEntry(entry, Duration.ofSeconds(1));
    }

    public static LeaseRequest.Acquire acquire() {
        return new LeaseRequest.Acquire(Token.of(new UUID(0x71, 1)), Holder.of("us"), TERM, AttributePatch.NONE, null);
    }
}
