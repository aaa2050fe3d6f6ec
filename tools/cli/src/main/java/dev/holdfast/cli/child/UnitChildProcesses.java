package dev.holdfast.cli.child;

import dev.holdfast.HoldfastException;
import dev.holdfast.cli.CommandFailure;
import dev.holdfast.cli.ExitCode;
import dev.holdfast.cli.output.CliConsole;
import dev.holdfast.cli.output.JsonWriter;
import dev.holdfast.cli.output.LeaseStatusJson;
import dev.holdfast.cli.output.VisibleText;
import dev.holdfast.fleet.RevokeReason;
import dev.holdfast.fleet.Unit;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntPredicate;

/** A command for each unit of a worker: begun when it is given the unit, ended when that goes to another. */
public final class UnitChildProcesses {
    private final CliConsole cliConsole;
    private final List<String> command;
    private final Map<String, String> variables;
    private final Duration grace;
    private final boolean once;
    private final Map<String, UnitChildProcess> running = new ConcurrentHashMap<>();
    private final StopSignals signals;
    private volatile IntPredicate hopeless = code -> true;

    /**
     * @param variables that the commands of all units have in their environment
     * @param once whether a unit whose command succeeds is done
     * @param signals after one of these, a command that ends may have been cut short
     */
    public UnitChildProcesses(
            CliConsole cliConsole,
            List<String> command,
            Map<String, String> variables,
            Duration grace,
            boolean once,
            StopSignals signals) {
        this.cliConsole = cliConsole;
        this.command = command;
        this.variables = variables;
        this.grace = grace;
        this.once = once;
        this.signals = signals;
    }

    /**
     * Given an exit code if the command cannot be run at all: then it cannot be for any unit.
     *
     * @param callback returns whether this is the first it hears of it; only then people are told
     */
    public void onHopeless(IntPredicate callback) {
        hopeless = callback;
    }

    public void begin(Unit unit) {
        UnitChildProcess child;
        try {
            child = UnitChildProcess.start(command, variables(unit), grace);
        } catch (CommandFailure e) {
            if (hopeless.test(e.exitCode())) {
                cliConsole.error(String.valueOf(e.getMessage()));
            }
            throw e;
        }
        running.put(unit.name(), child);
        child.onExit(code -> {
            // Else it is being ended, and whoever does that deals with it.
            if (running.remove(unit.name(), child)) {
                child.forget();
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
            if (child.end(patience(unit))) {
                ended(unit, child.exitCode());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // The process ends, and its watchdogs see to the rest.
        }
    }

    /** What must be over before the term is cannot be given all the grace. */
    private Duration patience(Unit unit) {
        boolean expiring = unit.revoked().filter(RevokeReason.EXPIRING::equals).isPresent();
        Duration left = unit.timeToStop();
        return expiring && left.compareTo(grace) < 0 ? left : grace;
    }

    private void ended(Unit unit, int code) {
        if (signals.isHeard()) {
            // It may have got the same signal. This worker is leaving, and hands the unit over as it is.
            return;
        }
        String shown = "unit '" + VisibleText.shortened(unit.name()) + "': ";
        if (!once || code != ExitCode.OK) {
            cliConsole.note(shown + "the command ended with " + code + "; to be tried again");
            unit.fail(new IllegalStateException("the command ended with " + code));
            return;
        }
        try {
            unit.done();
        } catch (HoldfastException e) {
            cliConsole.error(shown + "the command succeeded, but it could not be marked done, and is tried again: "
                    + e.getMessage());
            unit.fail(e);
        }
    }

    private Map<String, String> variables(Unit unit) {
        JsonWriter attributes = new JsonWriter();
        LeaseStatusJson.attributes(attributes, unit.attributes());
        Map<String, String> all = new HashMap<>(variables);
        all.put("HOLDFAST_UNIT", unit.name());
        all.put("HOLDFAST_FENCE", unit.fence().toString());
        all.put("HOLDFAST_ATTRIBUTES", attributes.toString());
        return all;
    }
}
