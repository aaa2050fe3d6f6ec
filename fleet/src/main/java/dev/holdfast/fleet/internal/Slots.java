package dev.holdfast.fleet.internal;

import dev.holdfast.fleet.RevokeReason;
import dev.holdfast.internal.Check;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/** The slots of a worker. Confined to its {@link Serial}. */
final class Slots {
    private final Post post;
    private final Map<String, Slot> all = new LinkedHashMap<>();

    Slots(Post post) {
        this.post = post;
    }

    /** Makes {@code wanted} what this worker works on: stops all else, then begins with what is new. */
    void want(Collection<String> wanted, RevokeReason otherwise) {
        Set<String> names = new LinkedHashSet<>(wanted);
        List.copyOf(all.values()).stream()
                .filter(slot -> !names.contains(slot.name()))
                .forEach(slot -> slot.unwant(otherwise));
        names.forEach(this::want);
    }

    private void want(String name) {
        Slot slot = all.computeIfAbsent(name, it -> new Slot(it, post));
        if (slot.isFinished()) {
            slot.askAnew();
        }
        slot.want();
    }

    void take(String name) {
        want(name);
    }

    void stopAll(RevokeReason reason) {
        want(List.of(), reason);
    }

    /** Stops all work for now; what is wanted stays so. */
    void interruptAll(RevokeReason reason) {
        List.copyOf(all.values()).forEach(slot -> slot.interrupt(reason));
    }

    void goOn(String name) {
        Slot slot = all.get(name);
        if (slot != null) {
            slot.goOn();
        }
    }

    void goOn() {
        List.copyOf(all.values()).forEach(Slot::goOn);
    }

    void forget(Slot slot) {
        all.remove(slot.name(), slot);
    }

    boolean isEmpty() {
        return all.isEmpty();
    }

    /** Whether nothing is held or asked for: what rests after a failure need not be handed over. */
    boolean areIdle() {
        return all.values().stream().allMatch(Slot::isEmpty);
    }

    /** Whether work on any unit goes on that has not been let go of. */
    boolean areAtWork() {
        return all.values().stream().anyMatch(Slot::isAtWork);
    }

    int size() {
        return all.size();
    }

    boolean has(String name) {
        return all.containsKey(name);
    }

    /** Checks each held unit that a listing shows as not held by this worker. */
    void checkHeld(Predicate<String> isListedAsOurs) {
        List.copyOf(all.values()).stream()
                .filter(slot -> !isListedAsOurs.test(slot.name()))
                .forEach(Slot::checkHeld);
    }

    int waiting() {
        return (int) all.values().stream().filter(Slot::isWaiting).count();
    }

    List<String> finished() {
        return names(all.values().stream().filter(Slot::isFinished).toList());
    }

    List<String> resting() {
        return names(all.values().stream().filter(Slot::isResting).toList());
    }

    private static List<String> names(List<Slot> slots) {
        List<String> names = new ArrayList<>();
        int bytes = 0;
        for (Slot slot : slots) {
            bytes += Check.utf8Length(slot.name());
            if (names.size() == Report.NAMES_MAX || bytes > Report.NAMES_BYTES_MAX) {
                break;
            }
            names.add(slot.name());
        }
        return names;
    }

    /** Drops those that are neither at work nor about to be. */
    void dropIdle(RevokeReason reason) {
        List.copyOf(all.values()).stream()
                .filter(slot -> slot.isEmpty() && !slot.isTiredNow())
                .forEach(slot -> slot.unwant(reason));
    }
}
