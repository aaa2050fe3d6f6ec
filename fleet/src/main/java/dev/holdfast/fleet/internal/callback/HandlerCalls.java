package dev.holdfast.fleet.internal.callback;

import dev.holdfast.fleet.Unit;
import dev.holdfast.fleet.UnitHandler;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** The calls of a handler that does not block, on the thread of the worker's step. */
public record HandlerCalls(UnitHandler handler) implements UnitCalls {
    @Override
    public UserCall assigned(Unit unit) {
        return UserCall.of(() -> handler.assigned(unit));
    }

    @Override
    public List<UserCall> revoked(List<Unit> units) {
        List<UserCall> calls = new ArrayList<>();
        stages(units).forEach(stage -> calls.add(UserCall.of(() -> stage)));
        return calls;
    }

    private List<? extends CompletionStage<?>> stages(List<Unit> units) {
        try {
            List<? extends CompletionStage<?>> stages = handler.revokedTogether(units);
            if (stages != null && stages.size() == units.size()) {
                return stages;
            }
            throw new IllegalStateException("revokedTogether returned " + (stages == null ? null : stages.size())
                    + " stages (expected: " + units.size() + ", one for each unit)");
        } catch (Throwable e) {
            return units.stream().map(unit -> CompletableFuture.failedFuture(e)).toList();
        }
    }
}
