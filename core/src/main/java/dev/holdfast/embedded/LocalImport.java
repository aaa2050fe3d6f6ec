package dev.holdfast.embedded;

import dev.holdfast.Key;
import dev.holdfast.Token;
import dev.holdfast.importing.ImportOutcome;
import dev.holdfast.importing.ImportTarget;
import dev.holdfast.importing.ImportedRow;
import dev.holdfast.importing.ImportedRow.LastGrant;
import dev.holdfast.internal.pipeline.StatusReader;
import dev.holdfast.rules.ImportRules;
import dev.holdfast.rules.LeaseRequest;
import dev.holdfast.service.Answer;
import dev.holdfast.service.LeaseService;
import dev.holdfast.store.Entry;
import dev.holdfast.support.BlockingCalls;
import dev.holdfast.support.Futures;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** {@link ImportTarget} as requests to the pipeline. */
final class LocalImport implements ImportTarget {
    private final LeaseService service;
    private final StatusReader statusReader;

    LocalImport(LeaseService service, StatusReader statusReader) {
        this.service = service;
        this.statusReader = statusReader;
    }

    @Override
    public List<ImportOutcome> preview(List<ImportedRow> rows) {
        return BlockingCalls.uninterruptibly(
                service.environment(),
                () -> read(rows)
                        .thenApply(found -> rows.stream()
                                .map(row -> ImportRules.outcome(row, found.get(row.key())))
                                .toList()));
    }

    @Override
    public List<ImportOutcome> write(List<ImportedRow> rows) {
        return BlockingCalls.uninterruptibly(service.environment(), () -> writeAsync(rows));
    }

    /**
     * Reads first: a pass that completes an earlier one mostly finds rows that are written already, and a read costs
     * less than a write.
     */
    @Override
    public CompletableFuture<List<ImportOutcome>> writeAsync(List<ImportedRow> rows) {
        return Futures.chain(
                read(rows),
                found -> all(rows.stream()
                        .map(row -> write(row, ImportRules.outcome(row, found.get(row.key()))))
                        .toList()));
    }

    private CompletableFuture<Map<Key, Entry>> read(List<ImportedRow> rows) {
        return statusReader.stored(rows.stream().map(ImportedRow::key).collect(Collectors.toSet()));
    }

    private static <T> CompletableFuture<List<T>> all(List<CompletableFuture<T>> calls) {
        return CompletableFuture.allOf(calls.toArray(CompletableFuture[]::new))
                .thenApply(done -> calls.stream().map(CompletableFuture::join).toList());
    }

    private CompletableFuture<ImportOutcome> write(ImportedRow row, ImportOutcome expected) {
        if (!expected.isWritten()) {
            return CompletableFuture.completedFuture(expected);
        }
        return service.submit(row.key(), new LeaseRequest.Import(row, token(row.grant())))
                .thenApply(answer -> answer instanceof Answer.Unneeded unneeded
                        ? ImportRules.outcome(row, unneeded.entry())
                        : expected);
    }

    private Token token(@Nullable LastGrant grant) {
        return grant == null || grant.token() == null
                ? Token.of(service.environment().randomId())
                : grant.token();
    }
}
