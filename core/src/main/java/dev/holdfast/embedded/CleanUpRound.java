package dev.holdfast.embedded;

import dev.holdfast.CleanUpOptions;
import dev.holdfast.LeaseState;
import dev.holdfast.internal.pipeline.RetryingReader;
import dev.holdfast.rules.LeaseRequest;
import dev.holdfast.service.Answer;
import dev.holdfast.service.LeaseService;
import dev.holdfast.store.EntryScan;
import dev.holdfast.store.ScanPage;
import dev.holdfast.support.Futures;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * One round of clean-up. It scans the free entries, the entries that are stored as held (their holders may be long
 * dead), and, if requested, the done ones. It removes each entry that the rules allow to be removed. Several rounds may
 * run at once; the later one finds nothing to do.
 */
record CleanUpRound(LeaseService service, RetryingReader reader, CleanUpOptions options) {
    /** Entries of one page: few, so that clean-up never delays lease requests. */
    private static final int PAGE = 100;

    CompletableFuture<Long> run() {
        CompletableFuture<Long> idle =
                sweep(LeaseState.FREE, 0).thenCompose(removed -> sweep(LeaseState.HELD, removed));
        return options.keepDone().isEmpty() ? idle : idle.thenCompose(removed -> sweep(LeaseState.DONE, removed));
    }

    /** Page by page, in a loop: with a store that answers immediately, recursion would go one level deeper per page. */
    private CompletableFuture<Long> sweep(LeaseState leaseState, long removedBefore) {
        return Futures.iterate(
                        new Progress(null, removedBefore, false),
                        progress -> progress.over || progress.removed >= options.limit(),
                        progress -> next(leaseState, progress))
                .thenApply(Progress::removed);
    }

    private CompletableFuture<Progress> next(LeaseState leaseState, Progress progress) {
        int limit = (int) Math.min(PAGE, options.limit() - progress.removed);
        EntryScan entryScan = new EntryScan("", null, leaseState, null, null, progress.cursor, limit);
        return reader.scan(entryScan)
                .thenCompose(scanPage -> remove(scanPage)
                        .thenApply(count ->
                                new Progress(scanPage.cursor(), progress.removed + count, scanPage.cursor() == null)));
    }

    /** How far a sweep has come. */
    private record Progress(@Nullable String cursor, long removed, boolean over) {}

    private CompletableFuture<Long> remove(ScanPage scanPage) {
        LeaseRequest leaseRequest = new LeaseRequest.CleanUp(options.keepDone().orElse(null));
        List<CompletableFuture<Answer>> answers = scanPage.entries().stream()
                .map(storedEntry -> service.submit(storedEntry.entry().key(), leaseRequest))
                .toList();
        return CompletableFuture.allOf(answers.toArray(CompletableFuture[]::new))
                .thenApply(all -> answers.stream()
                        .filter(answer -> answer.join() instanceof Answer.Applied)
                        .count());
    }
}
