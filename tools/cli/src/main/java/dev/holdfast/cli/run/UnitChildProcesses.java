package dev.holdfast.cli.run;

import dev.holdfast.HoldfastException;
import dev.holdfast.cli.command.CommandFailure;
import dev.holdfast.cli.command.ExitCode;
import dev.holdfast.cli.output.CommandConsole;
import dev.holdfast.cli.output.VisibleText;
import dev.holdfast.fleet.RevokeReason;
import dev.holdfast.fleet.Unit;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.IntPredicate;

/** Commands of a worker, one for each unit: started when the unit is assigned, terminated when it is revoked. */
public final class UnitChildProcesses {
    private final CommandConsole console;
    private final List<String> command;
    private final Function<Unit, Map<String, String>> variables;
    private final Duration grace;
    private final boolean once;
    private final Map<String, UnitChildProcess> running = new ConcurrentHashMap<>();
    private final StopSignals signals;
    private volatile IntPredicate notRunnable = code -> true;

    /**
     * @param variables the environment variables for the command of a unit
     * @param once whether a unit is marked as done when its command succeeds
     * @param signals the stop signals: after one, the work of a command that ends may be incomplete
     */
    public UnitChildProcesses(
            CommandConsole console,
            List<String> command,
            Function<Unit, Map<String, String>> variables,
            Duration grace,
            boolean once,
            StopSignals signals) {
        this.console = console;
        this.command = command;
        this.variables = variables;
        this.grace = grace;
        this.once = once;
        this.signals = signals;
    }

    /**
     * Sets the callback for a command that cannot be run at all, for any unit.
     *
     * @param callback receives the exit code, and returns whether this is the first failure; only that one is reported
     */
    public void onHopeless(IntPredicate callback) {
        notRunnable = callback;
    }

    public void begin(Unit unit) {
        UnitChildProcess child;
        try {
            child = UnitChildProcess.start(command, variables.apply(unit), grace);
        } catch (CommandFailure e) {
            if (notRunnable.test(e.exitCode())) {
                console.error(String.valueOf(e.getMessage()));
            }
            throw e;
        }
        running.put(unit.name(), child);
        child.onExit(code -> {
            // Otherwise stop() has removed the command and handles its end.
            if (running.remove(unit.name(), child)) {
                child.stopWatching();
                ended(unit, code);
            }
        });
    }

    public void stop(Unit unit) {
        UnitChildProcess child = running.remove(unit.name());
        if (child == null) {
            return;
        }
        try {
            if (child.end(graceFor(unit))) {
                ended(unit, child.exitCode());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // The process is ending, and its watchdogs terminate the commands.
        }
    }

    /** The grace is shortened if the unit is about to expire: the command must end before the term does. */
    private Duration graceFor(Unit unit) {
        boolean expiring = unit.revoked().filter(RevokeReason.EXPIRING::equals).isPresent();
        Duration left = unit.timeToStop();
        return expiring && left.compareTo(grace) < 0 ? left : grace;
    }

    private void ended(Unit unit, int code) {
        if (signals.isHeard()) {
            // The command may have received the same signal. This worker is leaving and hands the unit over unchanged.
            return;
        }
        String shown = "unit '" + VisibleText.shortened(unit.name()) + "': ";
        if (!once || code != ExitCode.OK) {
            console.note(shown + "the command exited with " + code + "; the unit will be retried");
            unit.fail(new IllegalStateException("the command exited with " + code));
            return;
        }
        try {
            unit.done();
        } catch (HoldfastException e) {
            console.error(shown + "the command succeeded, but the unit could not be marked done and will be retried: "
                    + e.getMessage());
            unit.fail(e);
        }
    }
}
