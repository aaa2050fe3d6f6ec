package dev.holdfast.internal.client;

import dev.holdfast.LeaseStatus;
import dev.holdfast.importing.ImportTarget;
import dev.holdfast.internal.Await;
import dev.holdfast.internal.Futures;
import dev.holdfast.internal.engine.Answer;
import dev.holdfast.internal.engine.Engine;
import dev.holdfast.internal.rules.ImportRules;
import dev.holdfast.internal.rules.Request;
import dev.holdfast.model.ImportOutcome;
import dev.holdfast.model.ImportedRow;
import dev.holdfast.model.ImportedRow.LastGrant;
import dev.holdfast.model.Token;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** {@link ImportTarget} as requests to an engine. */
final class LocalImport implements ImportTarget {
    private final Engine engine;
    private final Grants grants;
    private final Lookup lookup;

    LocalImport(Engine engine, Grants grants, Lookup lookup) {
        this.engine = engine;
        this.grants = grants;
        this.lookup = lookup;
    }

    @Override
    public List<ImportOutcome> preview(List<ImportedRow> rows) {
        return Await.uninterruptibly(engine.runtime(), () -> all(rows, this::preview));
    }

    @Override
    public List<ImportOutcome> write(List<ImportedRow> rows) {
        return Await.uninterruptibly(engine.runtime(), () -> writeAsync(rows));
    }

    /** Looks first: a pass that completes another mostly finds rows that are there, and a look costs less than a write. */
    @Override
    public CompletableFuture<List<ImportOutcome>> writeAsync(List<ImportedRow> rows) {
        return all(rows, row -> Futures.chain(preview(row), expected -> write(row, expected)));
    }

    private CompletableFuture<List<ImportOutcome>> all(
            List<ImportedRow> rows, Function<ImportedRow, CompletableFuture<ImportOutcome>> call) {
        grants.requireOpen();
        List<CompletableFuture<ImportOutcome>> calls = rows.stream().map(call).toList();
        return CompletableFuture.allOf(calls.toArray(CompletableFuture[]::new))
                .thenApply(done -> calls.stream().map(CompletableFuture::join).toList());
    }

    private CompletableFuture<ImportOutcome> preview(ImportedRow row) {
        return lookup.get(row.key())
                .toCompletableFuture()
                .thenApply(found -> ImportRules.outcome(
                        row, found.map(LeaseStatus::entry).orElse(null)));
    }

    private CompletableFuture<ImportOutcome> write(ImportedRow row, ImportOutcome expected) {
        if (!expected.isWritten()) {
            return CompletableFuture.completedFuture(expected);
        }
        return engine.submit(row.key(), new Request.Import(row, token(row.grant())))
                .thenApply(answer -> answer instanceof Answer.Unneeded unneeded
                        ? ImportRules.outcome(row, unneeded.entry())
                        : expected);
    }

    private Token token(@Nullable LastGrant grant) {
        return grant == null || grant.token() == null
                ? Token.of(engine.runtime().randomId())
                : grant.token();
    }
}
