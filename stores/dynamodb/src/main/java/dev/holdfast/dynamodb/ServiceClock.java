package dev.holdfast.dynamodb;

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
 * How far the clock of this machine is off the service's, by the {@code Date} of its answers. That is in whole seconds,
 * so the difference is known to within a second and the time that the answer took.
 *
 * <p>What is known is forgotten as soon as wall clock and ticker disagree: one of them jumped or slept.
 *
 * <p>Thread-safe.
 */
public final class ServiceClock implements ExecutionInterceptor {
    private static final ExecutionAttribute<Instant> SENT = new ExecutionAttribute<>("holdfast.sent");

    /** What wall clock and ticker may differ by since the last answer; beyond this, somebody set the clock. */
    private static final Duration STEP = Duration.ofMillis(250);

    private static final Duration RECENT = Duration.ofMinutes(1);

    private final HostEnvironment hostEnvironment;
    private volatile @Nullable Comparison last;
    private volatile Told told = new Told("", Optional.empty());

    public ServiceClock(HostEnvironment hostEnvironment) {
        this.hostEnvironment = hostEnvironment;
    }

    /** By how much our clock is ahead of the service's, at the most and at the least; negative: behind. */
    public record Difference(Duration least, Duration most) {
        /** Whether our clock is known to be within {@code bound} of the service's. */
        public boolean isWithin(Duration bound) {
            return least.compareTo(bound.negated()) >= 0 && most.compareTo(bound) <= 0;
        }

        /** Whether our clock is known to be off by more than {@code bound}. */
        public boolean isBeyond(Duration bound) {
            return least.compareTo(bound) > 0 || most.compareTo(bound.negated()) < 0;
        }

        /** What both say; {@code newer} alone if they contradict each other. */
        private static Difference narrower(Difference older, Difference newer) {
            Duration least = older.least.compareTo(newer.least) > 0 ? older.least : newer.least;
            Duration most = older.most.compareTo(newer.most) < 0 ? older.most : newer.most;
            return least.compareTo(most) <= 0 ? new Difference(least, most) : newer;
        }

        /** For people: in the middle, to a tenth of a second. */
        @Override
        public String toString() {
            double middle = (least.toMillis() + most.toMillis()) / 2000.0;
            return String.format(Locale.ROOT, "%.1f s %s", Math.abs(middle), middle < 0 ? "behind" : "ahead");
        }
    }

    /** Empty until an answer has come, or after the clock of this machine was set. */
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
            // The service looked at its clock after we sent, and before we heard; and it told whole seconds only.
            Duration least = Duration.between(date.get().plusSeconds(1), sent);
            Duration most = Duration.between(date.get(), now);
            hear(new Difference(least, most), now, hostEnvironment.nanos());
        }
    }

    /** Several answers together say more than one, as long as clocks cannot have drifted meanwhile by what would matter. */
    private void hear(Difference heard, Instant now, long nanos) {
        Comparison known = last;
        Optional<Difference> before =
                known == null || nanos - known.sinceNanos > RECENT.toNanos() ? Optional.empty() : difference();
        last = before.isPresent() && known != null
                ? new Comparison(Difference.narrower(before.get(), heard), now, nanos, known.sinceNanos)
                : new Comparison(heard, now, nanos, nanos);
    }

    /** All answers of one second say the same, and to read it takes longer than all else here. */
    private Optional<Instant> read(String date) {
        Told known = told;
        if (!known.text.equals(date)) {
            known = new Told(date, parse(date));
            told = known;
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

    private record Told(String text, Optional<Instant> time) {}

    /** @param sinceNanos when the first of the answers came that this rests on */
    private record Comparison(Difference difference, Instant at, long nanos, long sinceNanos) {}
}
