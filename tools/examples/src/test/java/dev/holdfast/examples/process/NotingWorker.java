package dev.holdfast.examples.process;

import dev.holdfast.Holdfast;
import dev.holdfast.Key;
import dev.holdfast.Leases;
import dev.holdfast.fleet.Fleet;
import dev.holdfast.fleet.FleetOptions;
import dev.holdfast.fleet.Unit;
import dev.holdfast.testkit.LeaseHistory;
import dev.holdfast.testkit.LeaseHistory.Event;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** Worker that only records, line by line, the units that it holds, and until when they are valid. */
final class NotingWorker {
    private static final long NOTE_MILLIS = 250;

    private final PrintStream notes;
    private final String name;

    private NotingWorker(String name, String file) throws IOException {
        this.name = name;
        // Each line is one write, so that the records of a killed process are complete.
        this.notes = new PrintStream(new FileOutputStream(file, true), true);
    }

    static FleetOptions options(Duration term) {
        return FleetOptions.defaults().term(term).poll(term.dividedBy(10)).quiet(term.dividedBy(2));
    }

    /**
     * Arguments: URL, name of the fleet, name of the worker, file for the notes, term in milliseconds, life in seconds.
     */
    public static void main(String[] args) throws Exception {
        NotingWorker worker = new NotingWorker(args[2], args[3]);
        Leases leases = Holdfast.open(args[0]);
        Fleet fleet = Fleet.of(leases, args[1])
                .worker(args[2])
                .options(options(Duration.ofMillis(Long.parseLong(args[4]))))
                .onAssigned(worker::begin)
                .onRevoked(worker::end)
                .join();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            fleet.close();
            leases.close();
        }));
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(Long.parseLong(args[5]));
        while (System.nanoTime() - deadline < 0) {
            fleet.held().forEach(worker::goOn);
            Thread.sleep(NOTE_MILLIS);
        }
    }

    private void begin(Unit unit) {
        note(new Event(
                System.nanoTime(),
                LeaseHistory.Kind.BEGAN,
                key(unit),
                name,
                unit.fence().value(),
                0));
        goOn(unit);
    }

    private void goOn(Unit unit) {
        long until = System.nanoTime() + unit.remaining().toNanos();
        long now = System.nanoTime();
        if (unit.isHeld()) {
            note(new Event(
                    now, LeaseHistory.Kind.EXTENDED, key(unit), "", unit.fence().value(), Math.max(now, until)));
        }
    }

    /** Records nothing for a lost unit: its validity ended before, at the time that was recorded last. */
    private void end(Unit unit) {
        if (unit.isHeld()) {
            note(new Event(
                    System.nanoTime(),
                    LeaseHistory.Kind.ENDED,
                    key(unit),
                    "",
                    unit.fence().value(),
                    0));
        }
    }

    private static Key key(Unit unit) {
        return Key.of(unit.name());
    }

    private synchronized void note(Event event) {
        notes.print(event.toLine() + "\n");
    }
}
