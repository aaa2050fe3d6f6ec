package dev.holdfast.bench.servers;

import dev.holdfast.bench.contender.StoreCounts;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** One member of etcd, which syncs its log before it answers a write. */
final class EtcdServer implements OpponentServer {
    private final int port = ServerProgram.freePort();
    private final ServerProgram program;

    EtcdServer(Path folder) throws IOException, InterruptedException, MissingProgramException {
        String client = "http://127.0.0.1:" + port;
        String peer = "http://127.0.0.1:" + ServerProgram.freePort();
        List<String> command = new ArrayList<>(List.of(DebianProgram.find("etcd", "etcd-server")));
        command.addAll(List.of("--data-dir", folder.resolve("data").toString()));
        command.addAll(List.of("--listen-client-urls", client, "--advertise-client-urls", client));
        command.addAll(List.of("--listen-peer-urls", peer, "--initial-advertise-peer-urls", peer));
        command.addAll(List.of("--initial-cluster", "default=" + peer));
        program = ServerProgram.start(folder, port, command);
    }

    @Override
    public String url(String opponent) {
        return "http://127.0.0.1:" + port;
    }

    @Override
    public List<ProcessHandle> processes() {
        return program.processes();
    }

    /** A message of a client counts as one request, a proposal to the log as one write. */
    @Override
    public Optional<StoreCounts> counts(String opponent) throws IOException {
        MetricsPage metrics = MetricsPage.read(url(opponent) + "/metrics");
        return Optional.of(new StoreCounts(
                metrics.sum("grpc_server_msg_received_total"), metrics.sum("etcd_server_proposals_committed_total")));
    }

    @Override
    public String description() {
        return "etcd, one member";
    }

    @Override
    public void close() {
        program.close();
    }
}
