package dev.holdfast.server.http;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.QueryParams;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.holdfast.Key;
import dev.holdfast.proto.v1.ExplainRequest;
import dev.holdfast.proto.v1.GetRequest;
import dev.holdfast.proto.v1.ListRequest;
import dev.holdfast.proto.v1.ListResponse;
import dev.holdfast.proto.v1.State;
import dev.holdfast.server.calls.KeyOperations;
import dev.holdfast.support.ArgumentCheck;
import dev.holdfast.support.Futures;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** The HTTP requests that read keys, by parameters in their URLs. */
record HttpQueries(KeyOperations calls) {
    HttpResponse get(ServiceRequestContext ctx, String name, QueryParams query) {
        requireKnown(query, Set.of("namespace", "withToken"));
        GetRequest request = GetRequest.newBuilder()
                .setNamespace(query.get("namespace", ""))
                .setName(name)
                .setWithToken(flag(query, "withToken"))
                .build();
        return JsonResponses.of(
                ctx,
                calls.get(ctx, request),
                found -> found.hasStatus()
                        ? JsonResponses.ok(JsonStatus.json(found.getStatus()))
                        : JsonResponses.notFound(name + " was never leased"));
    }

    HttpResponse explain(ServiceRequestContext ctx, String name, QueryParams query) {
        requireKnown(query, Set.of("namespace"));
        ExplainRequest request = ExplainRequest.newBuilder()
                .setNamespace(query.get("namespace", ""))
                .setName(name)
                .build();
        return JsonResponses.of(
                ctx,
                calls.explain(ctx, request),
                explained -> JsonResponses.ok(
                        JsonExplanation.json(Key.of(request.getNamespace(), request.getName()), explained)));
    }

    HttpResponse list(ServiceRequestContext ctx, QueryParams query) {
        requireKnown(
                query,
                Set.of("prefix", "namespace", "namePrefix", "status", "holder", "page", "pageSize", "withTokens"));
        ListRequest.Builder message = ListRequest.newBuilder()
                .setPrefix(query.get("prefix", ""))
                .setState(state(query.get("status", "")))
                .setHolder(query.get("holder", ""))
                .setPageSize(number(query, "pageSize"))
                .setWithTokens(flag(query, "withTokens"));
        if (query.contains("namespace") || query.contains("namePrefix")) {
            if (query.contains("prefix")) {
                throw ArgumentCheck.bad(
                        "prefix",
                        query.get("prefix", ""),
                        "none beside namespace or namePrefix, which name one namespace");
            }
            message.setPrefix(query.get("namespace", "")).setNamePrefix(query.get("namePrefix", ""));
        }
        ListRequest request = message.build();
        String page = query.get("page", "");
        String cursor = cursor(page);
        // Exceptions thrown by the call itself and failures of its future are handled alike.
        CompletionStage<ListResponse> listed = CompletableFuture.completedFuture(cursor)
                .thenCompose(from -> calls.list(ctx, request, from))
                .exceptionallyCompose(error -> CompletableFuture.failedFuture(renamed(page, error)));
        return JsonResponses.of(ctx, listed, HttpQueries::page);
    }

    /**
     * The store's cursor of a page, which is Base64-encoded: a cursor may contain characters that do not survive in a
     * URL.
     */
    private static String cursor(String page) {
        try {
            return new String(Base64.getUrlDecoder().decode(page), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            throw badPage(page);
        }
    }

    /** Renames the store's "cursor" in an error to "page", which is its name here. */
    private static Throwable renamed(String page, Throwable error) {
        Throwable cause = Futures.cause(error);
        boolean aboutCursor = cause instanceof IllegalArgumentException
                && String.valueOf(cause.getMessage()).startsWith("cursor:");
        return aboutCursor ? badPage(page) : cause;
    }

    private static IllegalArgumentException badPage(String page) {
        return ArgumentCheck.bad("page", page, "nextPage of the previous page");
    }

    private static HttpResponse page(ListResponse page) {
        ObjectNode json = JsonRequest.JSON.createObjectNode();
        ArrayNode leases = json.putArray("leases");
        page.getStatusesList().forEach(status -> leases.add(JsonStatus.json(status)));
        if (!page.getCursor().isEmpty()) {
            json.put(
                    "nextPage",
                    Base64.getUrlEncoder()
                            .withoutPadding()
                            .encodeToString(page.getCursor().getBytes(StandardCharsets.UTF_8)));
        }
        return JsonResponses.ok(json);
    }

    static void requireKnown(QueryParams query, Set<String> known) {
        query.names().forEach(name -> JsonRequest.requireKnown(name, known));
    }

    static boolean flag(QueryParams query, String name) {
        String value = query.get(name, "false");
        if (!value.equals("true") && !value.equals("false")) {
            throw ArgumentCheck.bad(name, value, "true or false");
        }
        return value.equals("true");
    }

    private static int number(QueryParams query, String name) {
        String value = query.get(name, "0");
        try {
            return Integer.parseInt(value);
        } catch (NumberFormatException e) {
            throw ArgumentCheck.bad(name, value, "a whole number");
        }
    }

    private static State state(String text) {
        return switch (text.toLowerCase(Locale.ROOT)) {
            case "" -> State.STATE_UNSPECIFIED;
            case "free" -> State.STATE_FREE;
            case "held" -> State.STATE_HELD;
            case "done" -> State.STATE_DONE;
            default -> throw ArgumentCheck.bad("status", text, "free, held or done");
        };
    }
}
