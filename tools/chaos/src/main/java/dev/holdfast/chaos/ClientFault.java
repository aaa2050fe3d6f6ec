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
    static List<ChaosFault> all(ClientGroup clients, int count) {
        List<ChaosFault> faults = new ArrayList<>();
        for (int client = 1; client <= count; client++) {
            faults.add(new Kill(clients, client));
            faults.add(new Stop(clients, client));
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

    private static final class Stop extends ClientFault {
        private @Nullable ClientProcess stopped;

        Stop(ClientGroup clients, int client) {
            super(clients, client);
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

        private void signal(String signal) throws IOException, InterruptedException {
            ClientProcess process = stopped;
            if (process != null && process.isAlive()) {
                new ProcessBuilder("kill", "-" + signal, Long.toString(process.pid()))
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .start()
                        .waitFor();
            }
        }
    }
}
