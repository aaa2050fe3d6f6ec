package dev.holdfast.dashboard.view;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.Key;
import dev.holdfast.dashboard.live.ViewSource;
import dev.holdfast.dashboard.live.ViewState;
import dev.holdfast.server.extension.ServedLeases;
import dev.holdfast.server.http.JsonExplanation;
import io.grpc.Status;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** One key: its explanation, as {@code holdfast why} shows it. */
final class KeySource implements ViewSource {
    private final ServedLeases served;
    private final Key key;
    private final boolean mayAdminister;
    private volatile @Nullable Key anchor;

    /** @throws RuntimeException if the caller may not read the key */
    KeySource(ServedLeases served, ViewRequest request) {
        this.served = served;
        this.key = Key.of(request.text("namespace"), request.text("name"));
        this.mayAdminister = request.mayAdminister();
        if (!request.readable().includes(key.namespace())) {
            throw Status.PERMISSION_DENIED
                    .withDescription("this caller may not read the namespace of the key")
                    .asRuntimeException();
        }
    }

    @Override
    public CompletionStage<ViewState> read(Set<Key> changed) {
        return served.leases().explain(key).thenApply(explanation -> {
            anchor = explanation.anchor().map(status -> status.key()).orElse(null);
            ObjectNode head = ViewJson.head(served);
            head.set("explanation", JsonExplanation.json(served.withOrigin(explanation)));
            head.put("mayAdminister", mayAdminister);
            return ViewState.of(head, Map.of());
        });
    }

    @Override
    public boolean concerns(Key changed) {
        return changed.equals(key) || changed.equals(anchor);
    }
}
