package dev.holdfast.cli.fleet;

import dev.holdfast.Leases;
import dev.holdfast.cli.command.CliCommand;
import dev.holdfast.cli.command.CommandContext;
import dev.holdfast.cli.command.CommandFailure;
import dev.holdfast.cli.command.CommandOption;
import dev.holdfast.cli.command.ExitCode;
import dev.holdfast.cli.output.JsonWriter;
import dev.holdfast.cli.output.VisibleText;
import dev.holdfast.fleet.FleetControl;
import dev.holdfast.fleet.OldWorkersException;
import java.util.Collection;

/** Base class of the commands that give orders to a fleet, such as {@code fleet pause}. */
abstract class FleetOrderCommand extends CliCommand {
    static final String SERVER = "Through a server that authenticates, orders need admin=fleet/NAME/control,"
            + "fleet/NAME/control/* and lease=fleet/NAME,fleet/NAME/*. They appear in its audit log.";

    private final CommandOption<String> fleet = FleetCommand.nameArgument(spec());
    private final CommandOption<String> reason = CommandOption.text(
            spec(), "TEXT", "The reason. It is kept with the order, and shown by fleet status.", "--reason");
    private final CommandOption<Boolean> json = CommandOption.json(spec());

    FleetOrderCommand(String name, String synopsis, String header) {
        super(name, synopsis, header);
    }

    @Override
    public final int run(CommandContext context) throws InterruptedException {
        FleetAccess access = new FleetAccess(context.settings().store());
        access.requirePlannerFor(spec().name());
        try (Leases leases = context.openToHold()) {
            return give(context, leases, access.control(leases, fleet()));
        } catch (OldWorkersException e) {
            throw new CommandFailure(ExitCode.ERROR, e.getMessage() + "; upgrade or stop them first", e);
        }
    }

    /** Gives or revokes the order, and returns the exit code. */
    abstract int give(CommandContext context, Leases leases, FleetControl control) throws InterruptedException;

    final String fleet() {
        return fleet.or("");
    }

    final String reason() {
        return reason.or("");
    }

    /** Prints the names for which the order made a difference as JSON, if requested. */
    final void print(CommandContext context, Collection<String> changed) {
        if (json.or(false)) {
            JsonWriter writer =
                    new JsonWriter().beginObject().field("fleet", fleet()).field("order", spec().name());
            writer.name("changed").beginArray();
            changed.forEach(writer::value);
            context.console().print(writer.endArray().endObject());
        }
    }

    static String quoted(String name) {
        return "'" + VisibleText.shortened(name) + "'";
    }

    /** Says that an order takes effect only when the fleet is no longer frozen. */
    final void noteIfFrozen(CommandContext context, FleetControl control) {
        control.state()
                .freeze()
                .ifPresent(note -> context.console()
                        .note("the fleet is frozen, so this waits until holdfast fleet thaw "
                                + VisibleText.shortened(fleet())));
    }
}
