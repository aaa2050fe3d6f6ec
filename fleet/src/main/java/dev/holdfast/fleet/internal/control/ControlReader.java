package dev.holdfast.fleet.internal.control;

import dev.holdfast.AsyncLeases;
import dev.holdfast.Key;
import dev.holdfast.LeaseStatus;
import dev.holdfast.fleet.ControlState;
import dev.holdfast.fleet.ControlState.ControlNote;
import dev.holdfast.fleet.ControlState.UnitMove;
import dev.holdfast.fleet.internal.units.FleetKeyLayout;
import dev.holdfast.fleet.internal.units.PagedKeyListing;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** The reader of a fleet's orders. */
public final class ControlReader {
    private final AsyncLeases leases;
    private final ControlKeys keys;

    public ControlReader(AsyncLeases leases, FleetKeyLayout layout) {
        this.leases = leases;
        this.keys = new ControlKeys(layout.fleet());
    }

    public ControlKeys keys() {
        return keys;
    }

    /** Lists all orders in force. */
    public CompletionStage<ControlState> read() {
        OrderCollection orders = new OrderCollection();
        return PagedKeyListing.over(leases, keys.filter(), orders::add).thenApply(nothing -> orders.toState());
    }

    /** Reads a single order; empty if it is not in force. */
    public CompletionStage<Optional<ControlNote>> note(Key key) {
        return leases.get(key)
                .thenApply(found -> found.filter(ControlReader::isInForce).map(ControlReader::noteOf));
    }

    /** Reads the move of a unit; empty if there is none in force. */
    public CompletionStage<Optional<UnitMove>> move(String unit) {
        return leases.get(keys.move(unit))
                .thenApply(found -> found.filter(ControlReader::isInForce).map(ControlReader::moveOf));
    }

    static boolean isInForce(LeaseStatus status) {
        return status.attributes().bool(ControlKeys.IN_FORCE).orElse(false);
    }

    static ControlNote noteOf(LeaseStatus status) {
        String client = status.holder().map(holder -> holder.name()).orElse("unknown");
        String by = status.attributes()
                .text(ControlKeys.CALLER)
                .map(caller -> caller + " (" + client + ")")
                .orElse(client);
        Instant at = status.entry().grant() == null
                ? status.entry().createdAt()
                : status.entry().grant().grantedAt();
        return new ControlNote(status.attributes().text(ControlKeys.REASON).orElse(""), by, at);
    }

    static UnitMove moveOf(LeaseStatus status) {
        return new UnitMove(status.attributes().text(ControlKeys.WORKER).orElse(""), noteOf(status));
    }

    /** The orders found by a listing. */
    private final class OrderCollection {
        private final Map<String, ControlNote> paused = new HashMap<>();
        private final Map<String, ControlNote> drained = new HashMap<>();
        private final Map<String, UnitMove> moves = new HashMap<>();
        private @Nullable ControlNote freeze;

        void add(LeaseStatus status) {
            Key key = status.key();
            if (!isInForce(status)) {
                return;
            }
            switch (keys.section(key)) {
                case "" -> freeze = key.equals(keys.freeze()) ? noteOf(status) : freeze;
                case "/paused" -> paused.put(key.name(), noteOf(status));
                case "/drained" -> drained.put(key.name(), noteOf(status));
                case "/moves" -> moves.put(key.name(), moveOf(status));
                default -> {} // A later version may have other orders.
            }
        }

        ControlState toState() {
            return new ControlState(Optional.ofNullable(freeze), paused, drained, moves);
        }
    }
}
