package dev.holdfast.guard.http;

import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.ServiceRequestContext;
import com.linecorp.armeria.server.SimpleDecoratingHttpService;
import dev.holdfast.Key;
import dev.holdfast.guard.StaleFenceException;
import dev.holdfast.guard.http.GateDecision.Passed;
import dev.holdfast.guard.http.GateDecision.Refused;
import io.netty.util.AttributeKey;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A decorator of Armeria services that refuses requests with an old fence: 412 for an old one, 428 for none, 400 for a number that
 * cannot be a fence.
 *
 * <p><b>The decorator alone leaves a gap.</b> A request that passed before a newer fence arrived can still write. Only a check in
 * the transaction of the write closes that gap: get the fence with {@link #passed}, and check it there. If the service fails with
 * {@link StaleFenceException}, the response is 412 as well.
 *
 * <pre>{@code
 * FenceGate gate = FenceGate.of(dataSource);
 * Server.builder()
 *         .service("/accounts/{id}", accounts.decorate(
 *                 FenceGateService.newDecorator(gate, ctx -> Key.of("accounts", ctx.pathParam("id")))));
 * }</pre>
 *
 * <p>The database is used on the blocking task executor of the request, never on an event loop. See {@link FenceGate} for the
 * memory and for the clock bound.
 */
public final class FenceGateService extends SimpleDecoratingHttpService {
    private static final AttributeKey<Passed> PASSED = AttributeKey.valueOf(FenceGateService.class, "PASSED");

    private final FenceGate gate;
    private final Function<? super ServiceRequestContext, ? extends @Nullable Key> keyOf;

    private FenceGateService(
            HttpService delegate,
            FenceGate gate,
            Function<? super ServiceRequestContext, ? extends @Nullable Key> keyOf) {
        super(delegate);
        this.gate = gate;
        this.keyOf = keyOf;
    }

    /**
     * @param keyOf the key that a request needs, derived from the resource that it names; null for a request that needs no fence,
     *     such as a read
     */
    public static Function<? super HttpService, FenceGateService> newDecorator(
            FenceGate gate, Function<? super ServiceRequestContext, ? extends @Nullable Key> keyOf) {
        return delegate -> new FenceGateService(delegate, gate, keyOf);
    }

    /**
     * The key and the fence with which a request passed, to be checked in the transaction of the write.
     *
     * @throws IllegalStateException if the request passed no gate: the decorator is not around this service, or it found that the
     *     request needs no fence
     */
    public static Passed passed(ServiceRequestContext ctx) {
        Passed passed = ctx.attr(PASSED);
        if (passed == null) {
            throw new IllegalStateException("the request passed no FenceGateService with a fence");
        }
        return passed;
    }

    @Override
    public HttpResponse serve(ServiceRequestContext ctx, HttpRequest request) throws Exception {
        Key key = keyOf.apply(ctx);
        if (key == null) {
            return unwrap().serve(ctx, request);
        }
        List<String> headers = request.headers().getAll(FenceHeader.NAME);
        return HttpResponse.of(CompletableFuture.supplyAsync(() -> decide(key, headers), ctx.blockingTaskExecutor())
                .thenApplyAsync(decision -> conclude(decision, ctx, request), ctx.eventLoop()));
    }

    private GateDecision decide(Key key, List<String> headers) {
        try {
            return gate.decide(key, headers);
        } catch (SQLException e) {
            throw new CompletionException("the fence cannot be checked: " + e.getMessage(), e);
        }
    }

    private HttpResponse conclude(GateDecision decision, ServiceRequestContext ctx, HttpRequest request) {
        if (decision instanceof Refused refused) {
            return refuse(refused);
        }
        ctx.setAttr(PASSED, (Passed) decision);
        return serveOrFail(ctx, request).recover(StaleFenceException.class, e -> refuse(FenceGate.stale(e.fence())));
    }

    private HttpResponse serveOrFail(ServiceRequestContext ctx, HttpRequest request) {
        try {
            return unwrap().serve(ctx, request);
        } catch (Exception e) {
            return HttpResponse.ofFailure(e);
        }
    }

    private static HttpResponse refuse(Refused refused) {
        return HttpResponse.of(
                HttpStatus.valueOf(refused.reason().status()), MediaType.PLAIN_TEXT_UTF_8, refused.message() + "\n");
    }
}
