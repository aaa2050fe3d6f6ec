package dev.holdfast.internal.engine;

import dev.holdfast.LeaseListener;
import dev.holdfast.internal.rules.Request;
import dev.holdfast.internal.rules.RuleBook;
import dev.holdfast.model.AttributePatch;
import dev.holdfast.model.Attributes;
import dev.holdfast.model.Beat;
import dev.holdfast.model.Entry;
import dev.holdfast.model.Fence;
import dev.holdfast.model.Grant;
import dev.holdfast.model.Holder;
import dev.holdfast.model.Key;
import dev.holdfast.model.Term;
import dev.holdfast.model.Token;
import dev.holdfast.model.Version;
import dev.holdfast.spi.Stored;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;

/** An engine on a store and a clock that a test moves by hand, and one key that another process holds. */
final class EngineScene {
    static final Key KEY = Key.of("jobs", "nightly");
    static final Term TERM = Term.ofMillis(60_000);
    private static final Instant CREATED = Instant.parse("2025-12-31T00:00:00Z");

    final StillRuntime runtime = new StillRuntime();
    final ScriptedPort port = new ScriptedPort();
    final Engine engine = new Engine(
            port,
            runtime,
            RuleBook.of(Duration.ZERO),
            new EngineOptions(Duration.ofSeconds(10), Duration.ofSeconds(5), 100, 64, new LeaseListener() {}));

    static Version version(int number) {
        return Version.of(new UUID(0x7e, number));
    }

    /** The key as the {@code number}th grant left it. */
    static Entry held(int number) {
        Grant grant = new Grant(
                Token.of(new UUID(0x70, number)), Holder.of("them"), TERM, Beat.of(version(number)), CREATED, null);
        return Entry.empty(KEY, version(0), Fence.NONE, CREATED)
                .granted(version(number), Fence.of(number), grant, Attributes.NONE);
    }

    static Stored stored(Entry entry) {
        return new Stored(entry, Duration.ofSeconds(1));
    }

    static Request.Acquire acquire() {
        return new Request.Acquire(Token.of(new UUID(0x71, 1)), Holder.of("us"), TERM, AttributePatch.NONE, null);
    }
}
