package dev.holdfast.chaos.backend;

import dev.holdfast.chaos.process.SmallDisk;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A store that is one SQLite file, opened by every client process, on a small disk that can be full. */
final class SqliteStart {
    private SqliteStart() {}

    static ChaosBackend start(Path folder, int clients, ClosingStack open) throws IOException, InterruptedException {
        List<ChaosFault> faults = new ArrayList<>();
        Path place = place(folder, open, faults);
        ClientClocks clocks = new ClientClocks(folder, ClientClocks.names(clients));
        faults.addAll(clocks.faults());
        String url = "sqlite:" + place.resolve("leases.db").toAbsolutePath();
        return new StartedBackend(client -> url, clocks::environment, faults, open);
    }

    private static Path place(Path folder, ClosingStack open, List<ChaosFault> faults) throws InterruptedException {
        try {
            SmallDisk disk = open.add(SmallDisk.mount(folder.resolve("disk")));
            faults.add(new ActionFault("disk full", "disk full", random -> disk.fill(), disk::empty));
            return disk.folder();
        } catch (IOException e) {
            System.err.println("THE FULL DISK IS SKIPPED: no small disk can be mounted: " + e.getMessage());
            return folder;
        }
    }
}
