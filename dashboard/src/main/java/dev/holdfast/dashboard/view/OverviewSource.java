package dev.holdfast.dashboard.view;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.Key;
import dev.holdfast.LeaseState;
import dev.holdfast.dashboard.activity.ActivityRecorder;
import dev.holdfast.dashboard.activity.LossLog.ShownLoss;
import dev.holdfast.dashboard.activity.RateSeries;
import dev.holdfast.dashboard.activity.RateSeries.StepRates;
import dev.holdfast.dashboard.activity.StoreCensus;
import dev.holdfast.dashboard.activity.StoreCensus.Census;
import dev.holdfast.dashboard.activity.StoreCensus.SilentHolder;
import dev.holdfast.dashboard.live.ViewSource;
import dev.holdfast.dashboard.live.ViewState;
import dev.holdfast.rules.ObservedEntry;
import dev.holdfast.server.extension.ServedLeases;
import dev.holdfast.server.operations.ServerVitals;
import dev.holdfast.server.security.ReadableNamespaces;
import dev.holdfast.service.LeaseActivity;
import dev.holdfast.service.LeaseActivity.LateRenewal;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The state of the server, and everything that is at risk. Reads memory only; a census counts the keys in the background. */
final class OverviewSource implements ViewSource {
    private static final int MOST_ROWS = 100;
    private static final Duration SAME_TIME = Duration.ofSeconds(1);

    private final ServedLeases served;
    private final ActivityRecorder recorder;
    private final ServerVitals vitals;
    private final ReadableNamespaces namespaces;
    private final Predicate<Key> readable;
    private final StoreCensus census;
    /** The times of rows as first sent: each reading measures them a little differently. */
    private Map<String, Instant> times = Map.of();

    OverviewSource(ServedLeases served, ActivityRecorder recorder, ServerVitals vitals, ReadableNamespaces namespaces) {
        this.served = served;
        this.recorder = recorder;
        this.vitals = vitals;
        this.namespaces = namespaces;
        this.readable = key -> namespaces.includes(key.namespace());
        this.census = new StoreCensus(served.service(), namespaces);
        census.begin();
    }

    @Override
    public CompletionStage<ViewState> read(Set<Key> changed) {
        Instant now = ViewJson.now(served);
        long nowNanos = served.service().nanos();
        LeaseActivity activity = served.service().activity();
        Optional<Census> counted = census.last();
        Map<String, Instant> newTimes = new HashMap<>();
        Map<String, String> rows = new LinkedHashMap<>();
        for (LateRenewal late : activity.lateRenewals(readable, MOST_ROWS)) {
            add(rows, newTimes, "late", late.key(), "", now.minus(late.sinceRenewal()), at -> late(late, at));
        }
        for (SilentHolder silent : counted.map(Census::silent).orElse(List.of())) {
            Instant freeAt = now.minusNanos(nowNanos - silent.seenNanos()).plus(silent.remaining());
            if (isStillSilent(silent) && freeAt.isAfter(now.minusSeconds(1))) {
                add(rows, newTimes, "silent", silent.key(), "", freeAt, at -> silent(silent, at));
            }
        }
        for (ShownLoss loss : recorder.losses().newest(readable, MOST_ROWS)) {
            add(rows, newTimes, "lost", loss.key(), "\0" + loss.number(), now.minus(loss.ago()), at -> lost(loss, at));
        }
        times = newTimes;
        ObjectNode head = head(activity, counted, nowNanos);
        ObjectNode compared = head.deepCopy();
        if (compared.get("counts") instanceof ObjectNode counts) {
            counts.remove("age");
        }
        if (compared.get("series") instanceof ObjectNode series) {
            series.remove("end");
        }
        return CompletableFuture.completedFuture(ViewState.of(head, compared, rows, true));
    }

    /** A holder that was silent when it was counted may have renewed through this server since. */
    private boolean isStillSilent(SilentHolder silent) {
        ObservedEntry seen = served.service().lastObserved(silent.key());
        if (seen == null || seen.entry() == null) {
            return true;
        }
        long renewedNanos = silent.seenNanos() - silent.sinceRenewal().toNanos();
        return seen.entry().state() == LeaseState.HELD && seen.beatSeenNanos() - renewedNanos < SAME_TIME.toNanos();
    }

    private void add(
            Map<String, String> rows,
            Map<String, Instant> newTimes,
            String kind,
            Key key,
            String suffix,
            Instant measured,
            Function<String, ObjectNode> row) {
        String id = kind + "\0" + ViewJson.id(key) + suffix;
        @Nullable Instant before = times.get(id);
        boolean isSame =
                before != null && Duration.between(before, measured).abs().compareTo(SAME_TIME) < 0;
        Instant time = isSame && before != null ? before : measured;
        newTimes.put(id, time);
        ObjectNode json = ViewJson.object().put("kind", kind);
        json.setAll(ViewJson.key(key));
        json.setAll(row.apply(ViewJson.time(time)));
        rows.put(id, json.toString());
    }

    private static ObjectNode late(LateRenewal late, String renewedAt) {
        return ViewJson.object()
                .put("holder", late.holder().name())
                .put("leftAtLast", ViewJson.seconds(late.leftAtLast()))
                .put("leastLeft", ViewJson.seconds(late.leastLeft()))
                .put("term", ViewJson.seconds(late.term()))
                .put("renewedAt", renewedAt);
    }

    private static ObjectNode silent(SilentHolder silent, String freeAt) {
        return ViewJson.object()
                .put("holder", silent.holder())
                .put("term", ViewJson.seconds(silent.term()))
                .put("sinceRenewal", ViewJson.seconds(silent.sinceRenewal()))
                .put("freeAt", freeAt);
    }

    private static ObjectNode lost(ShownLoss loss, String at) {
        ObjectNode json =
                ViewJson.object().put("at", at).put("reason", loss.reason()).put("detail", loss.detail());
        return loss.holder().isEmpty() ? json : json.put("holder", loss.holder());
    }

    private ObjectNode head(LeaseActivity activity, Optional<Census> counted, long nowNanos) {
        ObjectNode head = ViewJson.head(served);
        Optional<String> notReady = vitals.notReady();
        head.put("ready", notReady.isEmpty());
        notReady.ifPresent(why -> head.put("notReady", why));
        counted.ifPresentOrElse(
                it -> head.putObject("counts")
                        .put("held", it.held())
                        .put("done", it.done())
                        .put("free", it.free())
                        .put("searched", it.searched())
                        .put("complete", it.isComplete())
                        .put("age", Duration.ofNanos(nowNanos - it.atNanos()).toSeconds() + "s"),
                () -> head.putNull("counts"));
        head.put("waiting", activity.waiting(readable, 0).requests());
        head.put("connections", vitals.connections()).put("sessions", vitals.sessions());
        head.put("scope", namespaces.isAll() ? "all" : "some");
        series(head.putObject("series")
                .put("stepSeconds", RateSeries.STEP_SECONDS)
                .put("end", head.path("at").asText()));
        return head;
    }

    private void series(ObjectNode series) {
        ArrayNode grants = series.putArray("grants");
        ArrayNode losses = series.putArray("losses");
        ArrayNode p50 = series.putArray("batchMillisP50");
        ArrayNode p99 = series.putArray("batchMillisP99");
        ArrayNode size = series.putArray("batchSize");
        for (StepRates step : recorder.rates().steps()) {
            grants.add(step.grantsPerSecond());
            losses.add(step.lossesPerSecond());
            p50.add(step.batchMillisP50());
            p99.add(step.batchMillisP99());
            size.add(step.batchSize());
        }
    }

    @Override
    public boolean concerns(Key key) {
        return false;
    }

    @Override
    public Duration pause() {
        return Duration.ofSeconds(1);
    }

    @Override
    public void close() {
        census.end();
    }
}
