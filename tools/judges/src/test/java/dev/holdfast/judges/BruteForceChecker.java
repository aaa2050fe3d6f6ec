package dev.holdfast.judges;

import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A second opinion for tiny histories: it steps through time tick by tick, and tries at each tick every call that may
 * take effect. It has a model of its own, assumes nothing about best times, and knows no order but that of the ticks.
 */
final class BruteForceChecker {
    /** The key at a tick: {@code beat} is the tick of the last grant or renewal. */
    private record Cell(
            char state,
            int fence,
            boolean fenceKnown,
            String token,
            boolean unseen,
            String value,
            int beat,
            int evicted) {
        Cell with(char next) {
            return new Cell(next, fence, fenceKnown, token, false, value, 0, evicted);
        }

        /** The fences that were evicted are bits of a number. */
        Cell evict() {
            return new Cell(
                    'F', fence, fenceKnown, token, false, value, 0, fenceKnown ? evicted | 1 << fence : evicted);
        }

        boolean isExpired(int tick) {
            return state == 'H' && tick >= beat + TinyHistory.TERM;
        }

        boolean isHeldBy(String other) {
            return state == 'H' && token.equals(other);
        }
    }

    private record Moment(int tick, int placed, Cell cell) {}

    private static final int REPEATED = 1 << 16;

    private final List<HistoryCall> calls;
    private final Set<Moment> seen = new HashSet<>();

    BruteForceChecker(ChaosHistory history) {
        this.calls = history.calls();
    }

    boolean isLinearizable() {
        return reaches(new Moment(0, 0, new Cell('A', 0, false, "", false, "", 0, 0)));
    }

    private boolean reaches(Moment moment) {
        if (moment.tick > TinyHistory.LAST) {
            return true;
        }
        if (!seen.add(moment)) {
            return false;
        }
        if (moment.cell.unseen && reaches(new Moment(moment.tick, moment.placed, moment.cell.with('F')))) {
            return true;
        }
        boolean late = false;
        for (int i = 0; i < calls.size(); i++) {
            HistoryCall call = calls.get(i);
            if ((moment.placed & 1 << i) == 0 && call.start() <= moment.tick) {
                late |= !call.isUnknown() && call.end() == moment.tick;
                Cell next = next(call, moment.cell, moment.tick);
                if (next != null && reaches(new Moment(moment.tick, moment.placed | 1 << i, next))) {
                    return true;
                }
                if (call.is(CallOp.RELEASE, "lost")
                        && moment.cell.isHeldBy(call.token())
                        && (moment.placed & REPEATED << i) == 0
                        && reaches(new Moment(moment.tick, moment.placed | REPEATED << i, moment.cell.with('F')))) {
                    return true;
                }
                if (isRepeated(call) && (moment.placed & REPEATED << i) == 0) {
                    Cell first = grant(call.token(), true, 0, moment.cell, moment.tick, call.isUnknown());
                    if (first != null && reaches(new Moment(moment.tick, moment.placed | REPEATED << i, first))) {
                        return true;
                    }
                }
            }
        }
        return !late && reaches(new Moment(moment.tick + 1, moment.placed, moment.cell));
    }

    /** The library repeats a call for so long that its first grant can have expired. */
    private boolean isRepeated(HistoryCall call) {
        boolean evicted = calls.stream()
                .anyMatch(other -> other.op() == CallOp.EVICT
                        && other.start() <= call.end()
                        && other.latestEffect() >= call.start());
        return call.op() == CallOp.ACQUIRE && (evicted || call.end() - call.start() >= TinyHistory.TERM);
    }

    /** A holder that is still within its term is not refused. After its term, its own count may refuse it. */
    private @Nullable Cell notReleased(HistoryCall call, Cell cell) {
        long from = calls.stream()
                .filter(other -> other.op() == CallOp.ACQUIRE && other.token().equals(call.token()))
                .mapToLong(HistoryCall::start)
                .findFirst()
                .orElse(Long.MAX_VALUE - TinyHistory.TERM);
        boolean proved = call.end() < from + TinyHistory.TERM;
        boolean holds = cell.isHeldBy(call.token()) || (cell.state == 'F' && cell.token.equals(call.token()));
        return proved && holds ? null : cell;
    }

    private @Nullable Cell next(HistoryCall call, Cell cell, int tick) {
        String token = call.token();
        return switch (call.op()) {
            case ACQUIRE -> acquire(call, cell, tick);
            case RENEW ->
                cell.isHeldBy(token)
                        ? new Cell('H', cell.fence, cell.fenceKnown, token, false, cell.value, tick, cell.evicted)
                        : null;
            case RELEASE -> call.out().equals("lost") ? notReleased(call, cell) : release(call, cell);
            case EVICT -> cell.state == 'H' ? cell.evict() : cell;
            case REOPEN ->
                cell.state == 'D' ? cell.with('F') : cell.state == 'H' && !cell.isExpired(tick) ? null : cell;
            case BELIEVE -> believe(Math.toIntExact(call.call().number("fence")), cell);
            case DONE ->
                cell.isHeldBy(token) ? cell.with('D') : cell.state == 'D' && cell.token.equals(token) ? cell : null;
            case UPDATE ->
                cell.isHeldBy(token)
                        ? new Cell(
                                'H',
                                cell.fence,
                                cell.fenceKnown,
                                token,
                                cell.unseen,
                                call.call().field("value"),
                                cell.beat,
                                cell.evicted)
                        : null;
            case GET -> get(Objects.requireNonNull(call.answer()), cell, tick);
            default -> throw new IllegalArgumentException(call.toString());
        };
    }

    private static @Nullable Cell acquire(HistoryCall call, Cell cell, int tick) {
        String token = call.token();
        if (call.out().equals("held")) {
            return cell.state == 'H' && !cell.token.equals(token) ? cell : null;
        }
        boolean unseen = call.isUnknown();
        int fence = unseen ? 0 : Math.toIntExact(Objects.requireNonNull(call.shownFence()));
        return grant(token, unseen, fence, cell, tick, unseen);
    }

    private static @Nullable Cell grant(
            String token, boolean unseen, int fence, Cell cell, int tick, boolean mayVanish) {
        if (cell.isHeldBy(token)) {
            if (unseen) {
                return new Cell('H', cell.fence, cell.fenceKnown, token, cell.unseen, cell.value, tick, cell.evicted);
            }
            boolean fits = cell.fenceKnown ? cell.fence == fence : cell.fence <= fence;
            return fits ? new Cell('H', fence, true, token, false, cell.value, tick, cell.evicted) : null;
        }
        boolean open =
                cell.state == 'A' || cell.state == 'F' || (cell.state == 'H' && tick >= cell.beat + TinyHistory.TERM);
        if (!open || (!unseen && fence <= cell.fence)) {
            return null;
        }
        return new Cell(
                'H', unseen ? cell.fence + 1 : fence, !unseen, token, mayVanish, cell.value, tick, cell.evicted);
    }

    private static @Nullable Cell release(HistoryCall call, Cell cell) {
        if (cell.isHeldBy(call.token())) {
            return cell.with('F');
        }
        return cell.state == 'F' && cell.token.equals(call.token()) && !call.isUnknown() ? cell : null;
    }

    private static @Nullable Cell believe(int fence, Cell cell) {
        boolean isLast = cell.fenceKnown && cell.fence == fence;
        return isLast || (cell.evicted & 1 << fence) != 0 ? cell : null;
    }

    private static @Nullable Cell get(HistoryLine answer, Cell cell, int tick) {
        int fence = Math.toIntExact(answer.number("fence"));
        boolean fits = cell.fenceKnown ? cell.fence == fence : cell.fence <= fence;
        char shown = answer.field("state").charAt(0);
        boolean expired = cell.isExpired(tick);
        boolean same = shown == cell.state || (shown == 'F' && (cell.state == 'A' || expired));
        if (!fits || !same || !cell.value.equals(answer.field("value"))) {
            return null;
        }
        char state = cell.state == 'A' ? 'F' : cell.state;
        return new Cell(state, fence, true, cell.token, cell.unseen, cell.value, cell.beat, cell.evicted);
    }
}
