package dev.holdfast.cli;

import dev.holdfast.Key;
import dev.holdfast.LeaseListener;
import dev.holdfast.Leases;
import dev.holdfast.cli.config.CliSettings;
import dev.holdfast.cli.option.GlobalOptions;
import dev.holdfast.cli.output.CliConsole;
import dev.holdfast.cli.store.StoreOpener;
import java.util.List;

/** The context of one command call: console, settings (store, namespace, owner) and arguments. */
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

    /** Whether {@code --verbose} was given. */
    public boolean isVerbose() {
        return verbose;
    }

    /** The raw arguments. */
    public List<String> args() {
        return args;
    }

    public Key key(String name) {
        return Key.of(cliSettings.namespace(), name);
    }

    /** Opens the store for a single request, without background threads. */
    public Leases open() {
        return StoreOpener.open(cliSettings.store(), cliSettings.owner(), false, LeaseListener.NONE);
    }

    /** Opens the store for a command that waits for a lease or holds one. Leases are renewed in the background. */
    public Leases openToHold() {
        return openToHold(LeaseListener.NONE);
    }

    /** Same as {@link #openToHold()}, with a listener for lease events. */
    public Leases openToHold(LeaseListener listener) {
        return StoreOpener.open(cliSettings.store(), cliSettings.owner(), true, listener);
    }
}
