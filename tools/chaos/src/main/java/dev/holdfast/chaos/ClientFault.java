package dev.holdfast.chaos;

import dev.holdfast.chaos.backend.ChaosFault;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** The faults of client processes: killed and started again, or stopped for longer than a term. */
abstract class ClientFault implements ChaosFault {
    final ClientGroup clients;
    final int client;

    private ClientFault(ClientGroup clients, int client) {
        this.clients = clients;
        this.client = client;
    }

    /** The faults of all clients. */
    static List<ChaosFault> all(ClientGroup clients, int count, SignalShell shell) {
        List<ChaosFault> faults = new ArrayList<>();
        for (int client = 1; client <= count; client++) {
            faults.add(new Kill(clients, client));
            faults.add(new Stop(clients, client, shell));
            faults.add(new StopInWrite(clients, client, shell));
        }
        return faults;
    }

    @Override
    public String name() {
        return kind() + " of client " + client;
    }

    private static final class Kill extends ClientFault {
        Kill(ClientGroup clients, int client) {
            super(clients, client);
        }

        @Override
        public String kind() {
            return "SIGKILL";
        }

        @Override
        public void strike(Random random) {
            clients.kill(client);
        }

        @Override
        public void heal() throws IOException {
            clients.start(client);
        }
    }

    private static class Stop extends ClientFault {
        private final SignalShell shell;

        @Nullable
        ClientProcess stopped;

        Stop(ClientGroup clients, int client, SignalShell shell) {
            super(clients, client);
            this.shell = shell;
        }

        @Override
        public String kind() {
            return FaultSchedule.STOP;
        }

        @Override
        public void strike(Random random) throws IOException, InterruptedException {
            stopped = clients.running(client);
            signal("STOP");
        }

        @Override
        public void heal() throws IOException, InterruptedException {
            signal("CONT");
        }

        final void signal(String signal) throws IOException {
            ClientProcess process = stopped;
            if (process != null) {
                shell.send(signal, process);
            }
        }
    }

    /** A stop that begins right after the client has announced a write: most often between its read and its write. */
    private static final class StopInWrite extends Stop {
        private static final long WRITE_MILLIS_MAX = 4000;

        StopInWrite(ClientGroup clients, int client, SignalShell shell) {
            super(clients, client, shell);
        }

        @Override
        public String kind() {
            return FaultSchedule.STOP + " in a write";
        }

        @Override
        public void strike(Random random) throws IOException, InterruptedException {
            stopped = clients.running(client);
            if (stopped != null) {
                stopped.awaitWrite(WRITE_MILLIS_MAX);
                Thread.sleep(10 + random.nextInt(20));
                signal("STOP");
            }
        }
    }
}
