package dev.holdfast.guard.http;

import dev.holdfast.Key;
import dev.holdfast.guard.StaleFenceException;
import dev.holdfast.guard.http.GateDecision.Passed;
import dev.holdfast.guard.http.GateDecision.Refused;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.Collections;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A Jakarta Servlet filter that refuses requests with an old fence: 412 for an old one, 428 for none, 400 for a number that
 * cannot be a fence.
 *
 * <p><b>The filter alone leaves a gap.</b> A request that passed before a newer fence arrived can still write. Only a check in the
 * transaction of the write closes that gap: get the fence with {@link #passed}, and check it there. If the servlet throws
 * {@link StaleFenceException}, also as the cause of a {@link ServletException}, the response is 412 as well.
 *
 * <pre>{@code
 * FenceGate gate = FenceGate.of(dataSource);
 * Filter filter = new FenceGateFilter(gate, request -> Key.of("accounts", accountOf(request.getPathInfo())));
 * }</pre>
 *
 * <p>See {@link FenceGate} for its memory and for the clock bound. For asynchronous servlets, register the filter as one that
 * supports them. Thread-safe.
 */
public final class FenceGateFilter implements Filter {
    private static final String PASSED = "dev.holdfast.guard.http.passed";

    private final FenceGate gate;
    private final Function<? super HttpServletRequest, ? extends @Nullable Key> keyOf;

    /**
     * @param keyOf the key that a request needs, derived from the resource that it names; null for a request that needs no fence,
     *     such as a read
     */
    public FenceGateFilter(FenceGate gate, Function<? super HttpServletRequest, ? extends @Nullable Key> keyOf) {
        this.gate = gate;
        this.keyOf = keyOf;
    }

    /**
     * The key and the fence with which a request passed, to be checked in the transaction of the write.
     *
     * @throws IllegalStateException if the request passed no gate: the filter is not in front of this servlet, or it found that
     *     the request needs no fence
     */
    public static Passed passed(ServletRequest request) {
        if (request.getAttribute(PASSED) instanceof Passed passed) {
            return passed;
        }
        throw new IllegalStateException("the request passed no FenceGateFilter with a fence");
    }

    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        HttpServletRequest httpRequest = (HttpServletRequest) request;
        Key key = keyOf.apply(httpRequest);
        if (key == null) {
            chain.doFilter(request, response);
            return;
        }
        GateDecision decision = decide(key, httpRequest);
        if (decision instanceof Passed passed) {
            pass(passed, request, (HttpServletResponse) response, chain);
        } else if (decision instanceof Refused refused) {
            refuse((HttpServletResponse) response, refused);
        }
    }

    private GateDecision decide(Key key, HttpServletRequest request) throws ServletException {
        try {
            return gate.decide(key, Collections.list(request.getHeaders(FenceHeader.NAME)));
        } catch (SQLException e) {
            throw new ServletException("the fence cannot be checked: " + e.getMessage(), e);
        }
    }

    private static void pass(Passed passed, ServletRequest request, HttpServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        request.setAttribute(PASSED, passed);
        try {
            chain.doFilter(request, response);
        } catch (StaleFenceException e) {
            refuseUnlessCommitted(response, e, e);
        } catch (ServletException e) {
            if (!(e.getCause() instanceof StaleFenceException stale)) {
                throw e;
            }
            refuseUnlessCommitted(response, stale, e);
        }
    }

    private static <E extends Exception> void refuseUnlessCommitted(
            HttpServletResponse response, StaleFenceException stale, E thrown) throws IOException, E {
        if (response.isCommitted()) {
            throw thrown;
        }
        response.reset();
        refuse(response, FenceGate.stale(stale.fence()));
    }

    private static void refuse(HttpServletResponse response, Refused refused) throws IOException {
        response.setStatus(refused.reason().status());
        response.setContentType("text/plain");
        response.setCharacterEncoding(StandardCharsets.UTF_8.name());
        response.getWriter().println(refused.message());
    }
}
