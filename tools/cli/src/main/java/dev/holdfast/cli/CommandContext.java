package dev.holdfast.cli;

import dev.holdfast.Key;
import dev.holdfast.LeaseListener;
import dev.holdfast.Leases;
import dev.holdfast.cli.config.CliSettings;
import dev.holdfast.cli.option.GlobalOptions;
import dev.holdfast.cli.output.CliConsole;
import dev.holdfast.cli.store.StoreOpener;
import java.util.List;

/** What a command works with: where to speak, and the store and namespace it was told. */
public final class CommandContext {
    private final CliConsole cliConsole;
    private final CliSettings cliSettings;
    private final List<String> args;
    private final boolean verbose;

    CommandContext(CliConsole cliConsole, GlobalOptions globals, List<String> args) {
        this.cliConsole = cliConsole;
        this.cliSettings = CliSettings.of(globals, cliConsole.environment());
        this.args = args;
        this.verbose = globals.isVerbose();
        cliConsole.hide(cliSettings.store());
    }

    public CliConsole console() {
        return cliConsole;
    }

    public CliSettings settings() {
        return cliSettings;
    }

    /** Whether to say more on stderr. */
    public boolean isVerbose() {
        return verbose;
    }

    /** The arguments as they were given. */
    public List<String> args() {
        return args;
    }

    public Key key(String name) {
        return Key.of(cliSettings.namespace(), name);
    }

    /** For calls that do one thing: nothing runs in the background. */
    public Leases open() {
        return StoreOpener.open(cliSettings.store(), cliSettings.owner(), false, LeaseListener.NONE);
    }

    /** For those that wait or hold: leases are renewed. */
    public Leases openToHold() {
        return openToHold(LeaseListener.NONE);
    }

    /** The same, for one who wants to hear of what happens. */
    public Leases openToHold(LeaseListener listener) {
        return StoreOpener.open(cliSettings.store(), cliSettings.owner(), true, listener);
    }
}
