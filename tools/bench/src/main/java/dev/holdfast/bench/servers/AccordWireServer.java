package dev.holdfast.bench.servers;

import dev.holdfast.bench.accord.AccordReplicaServer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The replica of accord behind accord's wire, in its own process, on PostgreSQL. */
final class AccordWireServer implements OpponentServer {
    private final int port = ServerProgram.freePort();
    private final PostgresServer postgres;
    private final ServerProgram program;

    AccordWireServer(Path folder, ClassPaths classPaths, PostgresServer postgres)
            throws IOException, InterruptedException {
        this.postgres = postgres;
        List<String> command = classPaths.java(
                System.getProperty("java.class.path"),
                AccordReplicaServer.class.getName(),
                List.of(String.valueOf(postgres.port()), String.valueOf(port)));
        program = ServerProgram.start(folder, port, command);
    }

    @Override
    public String url(String opponent) {
        return "http://127.0.0.1:" + port;
    }

    @Override
    public List<ProcessHandle> processes() {
        List<ProcessHandle> all = new ArrayList<>(program.processes());
        all.addAll(postgres.processes());
        return all;
    }

    @Override
    public String description() {
        return "accord's statements behind its wire, on 64 connections to " + postgres.description();
    }

    @Override
    public void close() {
        program.close();
    }
}
