package dev.holdfast.client;

import dev.holdfast.AcquireOptions;
import dev.holdfast.AcquireResult;
import dev.holdfast.Anchor;
import dev.holdfast.AttributePatch;
import dev.holdfast.Attributes;
import dev.holdfast.Holdfast;
import dev.holdfast.Key;
import dev.holdfast.Lease;
import dev.holdfast.LeaseFilter;
import dev.holdfast.LeaseLostException;
import dev.holdfast.LeaseStatus;
import dev.holdfast.Leases;
import dev.holdfast.LeasesOptions;
import dev.holdfast.proto.v1.LeasesGrpc;
import dev.holdfast.proto.v1.WatchRequest;
import dev.holdfast.proto.v1.WatchResponse;
import io.grpc.ManagedChannel;
import io.grpc.ManagedChannelBuilder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/**
 * A run of every request that a client can send to a server, with a note of each response. {@link CompatibilityTest}
 * also compiles this file against the old code: keep a copy for it when the API changes.
 */
public final class ClientDrill implements Function<String, List<String>> {
    private static final Duration LONG = Duration.ofMinutes(1);
    private static final Key KEY = Key.of("jobs", "drill");

    private final List<String> notes = new ArrayList<>();

    @Override
    public List<String> apply(String host) {
        try (Leases ann = open(host, "ann", true);
                Leases bob = open(host, "bob", true);
                Leases eve = open(host, "eve", false)) {
            leasing(ann, bob, eve);
            session(ann, bob);
            lookingAt(host, ann);
            return notes;
        } catch (Exception e) {
            throw new IllegalStateException("after " + notes, e);
        }
    }

    /** @param background false: one request after another over HTTP/1.1, as one-shot commands do */
    private static Leases open(String host, String holder, boolean background) {
        LeasesOptions.Builder options = LeasesOptions.builder().holder(holder).operationTimeout(LONG);
        return Holdfast.open(
                "http://" + host,
                background ? options.build() : options.withoutThreads().build());
    }

    private void leasing(Leases ann, Leases bob, Leases eve) throws Exception {
        AcquireOptions options = AcquireOptions.defaults().term(LONG).attributes(Attributes.of("host", "a1"));
        Lease first = ann.tryAcquire(KEY, options).orThrow();
        note("one client at a time: " + ((AcquireResult.HeldByAnother) bob.tryAcquire(KEY, options)).holder());
        note("and over HTTP/1.1: " + ((AcquireResult.HeldByAnother) eve.tryAcquire(KEY, options)).holder());
        first.renew();
        first.update(AttributePatch.putting("step", 7));
        CompletableFuture<AcquireResult> next =
                bob.async().acquire(KEY, options, LONG).toCompletableFuture();
        note("released: " + first.release());
        Lease second = next.get(LONG.toSeconds(), TimeUnit.SECONDS).orThrow();
        note("the waiting client is granted a larger fence: "
                + (second.fence().value() > first.fence().value()));
        note("step " + second.attributes().get("step").isPresent() + ", host "
                + second.attributes().get("host").isPresent());
        note("evicted: " + ann.evict(KEY, "drill").getClass().getSimpleName());
        try {
            second.renew();
            note("renewed after its eviction");
        } catch (LeaseLostException e) {
            note("lost: " + e.reason());
        }
        Lease third = eve.tryAcquire(KEY, options).orThrow();
        eve.renew(KEY, third.token());
        third.done(AttributePatch.putting("result", "ok"));
        note("done: " + (bob.tryAcquire(KEY, options) instanceof AcquireResult.Done));
    }

    private void session(Leases ann, Leases bob) {
        Anchor anchor = ann.anchor("worker", LONG);
        Key unit = Key.of("units", "u1");
        Lease lease =
                ann.tryAcquire(unit, AcquireOptions.defaults().under(anchor)).orThrow();
        anchor.renew();
        anchor.renew();
        note("anchored: " + lease.isHeld() + ", "
                + bob.tryAcquire(unit, AcquireOptions.defaults()).isGranted());
        anchor.close();
        note("and free with its anchor: "
                + bob.tryAcquire(unit, AcquireOptions.defaults()).isGranted());
    }

    private void lookingAt(String host, Leases ann) throws InterruptedException {
        note("states: "
                + ann.list(LeaseFilter.all())
                        .filter(status -> !status.key().isAnchor())
                        .map(ClientDrill::text)
                        .sorted()
                        .toList());
        note("one: " + ann.get(KEY).map(ClientDrill::text).orElse("none"));
        note("watched: " + watched(host));
        note("reopened: " + ann.reopen(KEY).getClass().getSimpleName());
        note("deleted: " + ann.delete(KEY).getClass().getSimpleName());
    }

    private static String text(LeaseStatus status) {
        return status.key() + " " + status.state();
    }

    private static List<String> watched(String host) throws InterruptedException {
        ManagedChannel channel =
                ManagedChannelBuilder.forTarget(host).usePlaintext().build();
        try {
            List<String> seen = new ArrayList<>();
            Iterator<WatchResponse> watch = LeasesGrpc.newBlockingStub(channel)
                    .withDeadlineAfter(LONG.toSeconds(), TimeUnit.SECONDS)
                    .watch(WatchRequest.newBuilder().setPrefix("jobs").build());
            WatchResponse response;
            do {
                response = watch.next();
                response.getStatusesList()
                        .forEach(status -> seen.add(status.getName() + " "
                                + status.getState().name().replace("STATE_", "")));
            } while (!response.getInSync());
            return seen;
        } finally {
            channel.shutdownNow().awaitTermination(LONG.toSeconds(), TimeUnit.SECONDS);
        }
    }

    private void note(String text) {
        notes.add(text);
    }
}
