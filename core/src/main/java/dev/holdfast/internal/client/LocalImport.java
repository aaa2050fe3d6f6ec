package dev.holdfast.internal.client;

import dev.holdfast.importing.ImportTarget;
import dev.holdfast.internal.Await;
import dev.holdfast.internal.Futures;
import dev.holdfast.internal.engine.Answer;
import dev.holdfast.internal.engine.Engine;
import dev.holdfast.internal.engine.Survey;
import dev.holdfast.internal.rules.ImportRules;
import dev.holdfast.internal.rules.Request;
import dev.holdfast.model.Entry;
import dev.holdfast.model.ImportOutcome;
import dev.holdfast.model.ImportedRow;
import dev.holdfast.model.ImportedRow.LastGrant;
import dev.holdfast.model.Key;
import dev.holdfast.model.Token;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** {@link ImportTarget} as requests to an engine. */
final class LocalImport implements ImportTarget {
    private final Engine engine;
    private final Grants grants;
    private final Survey survey;

    LocalImport(Engine engine, Grants grants, Survey survey) {
        this.engine = engine;
        this.grants = grants;
        this.survey = survey;
    }

    @Override
    public List<ImportOutcome> preview(List<ImportedRow> rows) {
        return Await.uninterruptibly(
                engine.runtime(),
                () -> look(rows)
                        .thenApply(found -> rows.stream()
                                .map(row -> ImportRules.outcome(row, found.get(row.key())))
                                .toList()));
    }

    @Override
    public List<ImportOutcome> write(List<ImportedRow> rows) {
        return Await.uninterruptibly(engine.runtime(), () -> writeAsync(rows));
    }

    /** Looks first: a pass that completes another mostly finds rows that are there, and a look costs less than a write. */
    @Override
    public CompletableFuture<List<ImportOutcome>> writeAsync(List<ImportedRow> rows) {
        return Futures.chain(
                look(rows),
                found -> all(rows.stream()
                        .map(row -> write(row, ImportRules.outcome(row, found.get(row.key()))))
                        .toList()));
    }

    private CompletableFuture<Map<Key, Entry>> look(List<ImportedRow> rows) {
        grants.requireOpen();
        return survey.stored(rows.stream().map(ImportedRow::key).collect(Collectors.toSet()));
    }

    private static <T> CompletableFuture<List<T>> all(List<CompletableFuture<T>> calls) {
        return CompletableFuture.allOf(calls.toArray(CompletableFuture[]::new))
                .thenApply(done -> calls.stream().map(CompletableFuture::join).toList());
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
