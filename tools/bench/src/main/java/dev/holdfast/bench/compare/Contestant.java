package dev.holdfast.bench.compare;

import dev.holdfast.bench.contender.ContenderProcess;
import dev.holdfast.bench.contender.StoreCounts;
import dev.holdfast.bench.contender.TurnMessage;
import dev.holdfast.bench.machine.CpuTime;
import dev.holdfast.bench.servers.ClassPaths;
import dev.holdfast.bench.servers.OpponentServer;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** An opponent whose server runs. It starts client processes. */
record Contestant(Opponent opponent, OpponentServer server, ClassPaths classPaths, Path folder) {
    ContestantProcess client(String worker, Duration term) throws Exception {
        TurnMessage settings = TurnMessage.of("start")
                .with("opponent", opponent.id)
                .with("url", server.url(opponent.id))
                .with("worker", worker)
                .with("termMillis", term.toMillis())
                .with("witness", folder.resolve(opponent.id + ".witness"));
        List<String> command = classPaths.java(
                classPaths.client(opponent.module), ContenderProcess.class.getName(), List.of(settings.toString()));
        return new ContestantProcess(opponent.id, command, folder.resolve(opponent.id + ".log"));
    }

    /** The requests and writes so far, from the server or, if it does not count, from the client. */
    StoreCounts counts(ContestantProcess client) throws Exception {
        Optional<StoreCounts> counted = server.counts(opponent.id);
        if (counted.isPresent()) {
            return counted.get();
        }
        TurnMessage answer = client.ask(TurnMessage.of("counts"));
        return new StoreCounts(answer.number("requests"), answer.number("writes"));
    }

    Duration serverCpu() throws IOException {
        return CpuTime.of(server.processes());
    }
}
