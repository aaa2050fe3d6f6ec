package dev.holdfast.embedded;

import static java.util.Objects.requireNonNull;

import dev.holdfast.Key;
import dev.holdfast.Token;
import dev.holdfast.importing.ImportOutcome;
import dev.holdfast.importing.ImportTarget;
import dev.holdfast.importing.ImportedRow;
import dev.holdfast.importing.ImportedRow.LastGrant;
import dev.holdfast.internal.pipeline.RetryingReader;
import dev.holdfast.rules.ImportRules;
import dev.holdfast.rules.LeaseRequest;
import dev.holdfast.rules.ObservedEntry;
import dev.holdfast.service.Answer;
import dev.holdfast.service.LeaseService;
import dev.holdfast.support.BlockingCalls;
import dev.holdfast.support.Futures;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** {@link ImportTarget} as requests to the pipeline. */
record LocalImport(LeaseService service, RetryingReader reader) implements ImportTarget {

    @Override
    public List<ImportOutcome> preview(List<ImportedRow> rows) {
        return BlockingCalls.uninterruptibly(
                service.environment(),
                () -> read(rows)
                        .thenApply(found ->
                                rows.stream().map(row -> outcome(row, found)).toList()));
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
                        .map(row -> write(row, outcome(row, found)))
                        .toList()));
    }

    private CompletableFuture<Map<Key, ObservedEntry>> read(List<ImportedRow> rows) {
        return reader.read(rows.stream().map(ImportedRow::key).collect(Collectors.toSet()));
    }

    private static ImportOutcome outcome(ImportedRow row, Map<Key, ObservedEntry> found) {
        return ImportRules.outcome(row, requireNonNull(found.get(row.key())).entry());
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
