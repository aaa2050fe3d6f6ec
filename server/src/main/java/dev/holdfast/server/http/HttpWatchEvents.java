package dev.holdfast.server.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpResponseWriter;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.common.QueryParams;
import com.linecorp.armeria.common.ResponseHeaders;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.holdfast.proto.v1.WatchRequest;
import dev.holdfast.proto.v1.WatchResponse;
import dev.holdfast.server.calls.KeyOperations;
import dev.holdfast.server.watch.StatusWatch;
import dev.holdfast.server.watch.WatchSink;
import dev.holdfast.server.wire.WireErrors;
import dev.holdfast.support.Futures;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The sink of a watch that sends changes as server-sent events: {@code lease}, {@code removed} and, once, {@code
 * insync}.
 */
final class HttpWatchEvents implements WatchSink {
    /** The interval of comments that show both ends that the other is alive. */
    private static final Duration KEEP_ALIVE_INTERVAL = Duration.ofSeconds(15);

    /** An empty comment, which clients skip. */
    private static final String KEEP_ALIVE = ": \n\n";

    private final HttpResponseWriter writer = HttpResponse.streaming();
    private boolean writing;
    private @Nullable StatusWatch statusWatch;

    private HttpWatchEvents() {}

    static HttpResponse begin(ServiceRequestContext ctx, KeyOperations keys, QueryParams query) {
        HttpQueries.requireKnown(query, Set.of("prefix", "withTokens"));
        WatchRequest request = WatchRequest.newBuilder()
                .setPrefix(query.get("prefix", ""))
                .setWithTokens(HttpQueries.flag(query, "withTokens"))
                .build();
        HttpWatchEvents events = new HttpWatchEvents();
        // This runs on the event loop, so no event is sent before everything is set up.
        events.statusWatch = keys.watch(ctx, request, events);
        events.writer.write(ResponseHeaders.builder(HttpStatus.OK)
                .contentType(MediaType.EVENT_STREAM)
                .set(HttpHeaderNames.CACHE_CONTROL, "no-store")
                .build());
        var keepAlives = ctx.eventLoop()
                .scheduleAtFixedRate(
                        () -> events.write(KEEP_ALIVE),
                        KEEP_ALIVE_INTERVAL.toSeconds(),
                        KEEP_ALIVE_INTERVAL.toSeconds(),
                        TimeUnit.SECONDS);
        Futures.whenDone(events.writer.whenComplete(), (over, error) -> keepAlives.cancel(false));
        return events.writer;
    }

    @Override
    public boolean isReady() {
        return !writing && writer.isOpen();
    }

    @Override
    public void send(WatchResponse message) {
        StringBuilder events = new StringBuilder();
        message.getStatusesList().forEach(status -> event(events, "lease", JsonStatus.json(status)));
        message.getRemovedList()
                .forEach(key -> event(
                        events,
                        "removed",
                        JsonRequest.JSON
                                .createObjectNode()
                                .put("namespace", key.getNamespace())
                                .put("name", key.getName())));
        if (message.getInSync()) {
            event(events, "insync", JsonRequest.JSON.createObjectNode());
        }
        write(events.toString());
    }

    private static void event(StringBuilder events, String kind, JsonNode data) {
        events.append("event: ").append(kind).append("\ndata: ");
        events.append(new String(JsonResponses.bytes(data), StandardCharsets.UTF_8))
                .append('\n');
    }

    /** Writes events, on the event loop only. The next events are written when the client has read these. */
    private void write(String events) {
        if (!writer.tryWrite(HttpData.ofUtf8(events))) {
            return;
        }
        writing = true;
        Futures.whenDone(writer.whenConsumed(), (taken, error) -> {
            writing = false;
            if (statusWatch != null && error == null) {
                statusWatch.ready();
            }
        });
    }

    @Override
    public void probe() {
        write(KEEP_ALIVE);
    }

    @Override
    public void fail(Throwable reason) {
        StringBuilder last = new StringBuilder();
        event(
                last,
                "error",
                JsonResponses.error("ended", WireErrors.status(reason).getMessage()));
        if (writer.tryWrite(HttpData.ofUtf8(last.toString()))) {
            writer.close();
        }
    }
}
