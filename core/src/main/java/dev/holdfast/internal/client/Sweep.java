package dev.holdfast.internal.client;

import dev.holdfast.CleanUpOptions;
import dev.holdfast.internal.Futures;
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
        CompletableFuture<Long> idle = sweep(State.FREE, 0).thenCompose(removed -> sweep(State.HELD, removed));
        return options.keepDone().isEmpty() ? idle : idle.thenCompose(removed -> sweep(State.DONE, removed));
    }

    /** Page by page, in a loop: a store that answers at once would otherwise recurse once per page. */
    private CompletableFuture<Long> sweep(State state, long removedBefore) {
        return Futures.iterate(
                        new Progress(null, removedBefore, false),
                        progress -> progress.over || progress.removed >= options.limit(),
                        progress -> next(state, progress))
                .thenApply(Progress::removed);
    }

    private CompletableFuture<Progress> next(State state, Progress progress) {
        int bite = (int) Math.min(PAGE, options.limit() - progress.removed);
        Scan scan = new Scan("", state, null, null, progress.cursor, bite);
        return survey.scan(scan)
                .thenCompose(page -> remove(page)
                        .thenApply(
                                count -> new Progress(page.cursor(), progress.removed + count, page.cursor() == null)));
    }

    /** How far a sweep has come. */
    private record Progress(@Nullable String cursor, long removed, boolean over) {}

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
