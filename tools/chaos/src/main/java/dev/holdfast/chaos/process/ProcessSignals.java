package dev.holdfast.chaos.process;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Signals to other processes, by the program {@code kill}. */
public final class ProcessSignals {
    private ProcessSignals() {}

    /** Sends a signal such as {@code STOP}. A process that has ended already is left out. */
    public static void send(String signal, List<ProcessHandle> to) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("kill", "-" + signal));
        to.stream()
                .filter(ProcessHandle::isAlive)
                .map(handle -> String.valueOf(handle.pid()))
                .forEach(command::add);
        if (command.size() == 2) {
            return;
        }
        Process kill = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        int code = kill.waitFor();
        if (code != 0 && to.stream().allMatch(ProcessHandle::isAlive)) {
            throw new IOException(String.join(" ", command) + ": exit code " + code);
        }
    }
}
