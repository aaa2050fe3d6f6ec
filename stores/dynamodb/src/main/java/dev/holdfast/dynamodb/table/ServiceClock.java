package dev.holdfast.dynamodb.table;

import dev.holdfast.store.HostEnvironment;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttribute;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;

/**
 * Difference between the clock of this machine and the service's clock, measured by the {@code Date} of its responses.
 * The date has whole seconds, so the difference is known to within a second plus the duration of the request.
 *
 * <p>The measurement is discarded as soon as the wall clock and the ticker disagree, because one of them jumped or
 * slept.
 *
 * <p>Thread-safe.
 */
public final class ServiceClock implements ExecutionInterceptor {
    private static final ExecutionAttribute<Instant> SENT = new ExecutionAttribute<>("holdfast.sent");

    /** The most that wall clock and ticker may differ since the last response. Beyond this, the clock was set. */
    private static final Duration STEP = Duration.ofMillis(250);

    private static final Duration RECENT = Duration.ofMinutes(1);

    private final HostEnvironment hostEnvironment;
    private volatile @Nullable Comparison last;
    private volatile ParsedDate parsedDate = new ParsedDate("", Optional.empty());

    public ServiceClock(HostEnvironment hostEnvironment) {
        this.hostEnvironment = hostEnvironment;
    }

    /** By how much our clock is ahead of the service's, at least and at most; negative if behind. */
    public record Difference(Duration least, Duration most) {
        /** Returns the overlap of both; {@code newer} alone if they contradict each other. */
        private static Difference narrower(Difference older, Difference newer) {
            Duration least = older.least.compareTo(newer.least) > 0 ? older.least : newer.least;
            Duration most = older.most.compareTo(newer.most) < 0 ? older.most : newer.most;
            return least.compareTo(most) <= 0 ? new Difference(least, most) : newer;
        }

        /** Shows the middle, to a tenth of a second. */
        @Override
        public String toString() {
            double middle = (least.toMillis() + most.toMillis()) / 2000.0;
            return String.format(Locale.ROOT, "%.1f s %s", Math.abs(middle), middle < 0 ? "behind" : "ahead");
        }
    }

    /** Returns the difference; empty before the first response, or after the clock of this machine was set. */
    public Optional<Difference> difference() {
        Comparison known = last;
        if (known == null) {
            return Optional.empty();
        }
        Duration byTicker = Duration.ofNanos(hostEnvironment.nanos() - known.nanos);
        Duration byWall = Duration.between(known.at, hostEnvironment.now());
        boolean agree = byWall.minus(byTicker).abs().compareTo(STEP.plus(byTicker.dividedBy(1000))) <= 0;
        return agree ? Optional.of(known.difference) : Optional.empty();
    }

    /** Returns whether our clock is known to be within {@code bound} of the service's. */
    public boolean isWithin(Duration bound) {
        return difference()
                .filter(it -> it.least.compareTo(bound.negated()) >= 0 && it.most.compareTo(bound) <= 0)
                .isPresent();
    }

    /** Returns whether our clock is known to be off by more than {@code bound}. */
    public boolean isBeyond(Duration bound) {
        return difference()
                .filter(it -> it.least.compareTo(bound) > 0 || it.most.compareTo(bound.negated()) < 0)
                .isPresent();
    }

    @Override
    public void beforeTransmission(Context.BeforeTransmission context, ExecutionAttributes attributes) {
        attributes.putAttribute(SENT, hostEnvironment.now());
    }

    @Override
    public void beforeUnmarshalling(Context.BeforeUnmarshalling context, ExecutionAttributes attributes) {
        Instant sent = attributes.getAttribute(SENT);
        Optional<Instant> date =
                context.httpResponse().firstMatchingHeader("Date").flatMap(this::read);
        if (sent != null && date.isPresent()) {
            Instant now = hostEnvironment.now();
            // The service read its clock after we sent and before we received, and it reports only whole seconds.
            Duration least = Duration.between(date.get().plusSeconds(1), sent);
            Duration most = Duration.between(date.get(), now);
            combine(new Difference(least, most), now, hostEnvironment.nanos());
        }
    }

    /** Combines recent responses, which are more precise together, if clocks cannot have drifted much in between. */
    private void combine(Difference measured, Instant now, long nanos) {
        Comparison known = last;
        Optional<Difference> before =
                known == null || nanos - known.sinceNanos > RECENT.toNanos() ? Optional.empty() : difference();
        last = before.isPresent() && known != null
                ? new Comparison(Difference.narrower(before.get(), measured), now, nanos, known.sinceNanos)
                : new Comparison(measured, now, nanos, nanos);
    }

    /**
     * Caches the last date, because all responses of one second have the same, and parsing is the slowest part here.
     */
    private Optional<Instant> read(String date) {
        ParsedDate known = parsedDate;
        if (!known.text.equals(date)) {
            known = new ParsedDate(date, parse(date));
            parsedDate = known;
        }
        return known.time;
    }

    private static Optional<Instant> parse(String date) {
        try {
            return Optional.of(ZonedDateTime.parse(date, DateTimeFormatter.RFC_1123_DATE_TIME)
                    .toInstant());
        } catch (DateTimeException e) {
            return Optional.empty();
        }
    }

    private record ParsedDate(String text, Optional<Instant> time) {}

    /** @param sinceNanos when the first response arrived that this comparison is based on */
    private record Comparison(Difference difference, Instant at, long nanos, long sinceNanos) {}
}
