package dev.holdfast.internal.client;

import dev.holdfast.CleanUpOptions;
import dev.holdfast.internal.engine.Answer;
import dev.holdfast.internal.engine.Engine;
import dev.holdfast.internal.engine.Survey;
import dev.holdfast.internal.rules.Request;
import dev.holdfast.model.State;
import dev.holdfast.spi.Page;
import dev.holdfast.spi.Scan;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * One round of clean-up: goes through what is free, through what is stored as held (its holder may be long dead), and,
 * if asked, through what is done, and has each entry removed that the rules give up. Several may run at once; whoever comes second finds nothing to do.
 */
final class Sweep {
    /** Entries of one page: a small bite, so that clean-up never holds up the leases. */
    private static final int PAGE = 100;

    private final Engine engine;
    private final Survey survey;
    private final CleanUpOptions options;

    Sweep(Engine engine, Survey survey, CleanUpOptions options) {
        this.engine = engine;
        this.survey = survey;
        this.options = options;
    }

    CompletableFuture<Long> run() {
        CompletableFuture<Long> idle =
                sweep(State.FREE, null, 0).thenCompose(removed -> sweep(State.HELD, null, removed));
        return options.keepDone().isEmpty() ? idle : idle.thenCompose(removed -> sweep(State.DONE, null, removed));
    }

    private CompletableFuture<Long> sweep(State state, @Nullable String cursor, long removed) {
        int bite = (int) Math.min(PAGE, options.limit() - removed);
        if (bite <= 0) {
            return CompletableFuture.completedFuture(removed);
        }
        Scan scan = new Scan("", state, null, null, cursor, bite);
        return survey.scan(scan)
                .thenCompose(page -> remove(page).thenCompose(count -> {
                    long total = removed + count;
                    return page.cursor() == null
                            ? CompletableFuture.completedFuture(total)
                            : sweep(state, page.cursor(), total);
                }));
    }

    private CompletableFuture<Long> remove(Page page) {
        Request request = new Request.CleanUp(options.keepDone().orElse(null));
        List<CompletableFuture<Answer>> answers = page.entries().stream()
                .map(stored -> engine.submit(stored.entry().key(), request))
                .toList();
        return CompletableFuture.allOf(answers.toArray(CompletableFuture[]::new))
                .thenApply(all -> answers.stream()
                        .filter(answer -> answer.join() instanceof Answer.Applied)
                        .count());
    }
}
