package dev.holdfast.chaos.network;

import java.io.IOException;
import java.net.Socket;

/** One direction of a link: reads chunks and passes them on, as the active faults allow. Holds at most one chunk. */
final class LinkPump implements Runnable {
    private static final int CHUNK_BYTES = 16 * 1024;

    private final ProxyLink link;
    private final FlowDirection direction;
    private final Socket from;
    private final Socket to;
    private final LinkConditions conditions;
    private final byte[] chunk = new byte[CHUNK_BYTES];

    LinkPump(ProxyLink link, FlowDirection direction, Socket from, Socket to, LinkConditions conditions) {
        this.link = link;
        this.direction = direction;
        this.from = from;
        this.to = to;
        this.conditions = conditions;
    }

    @Override
    public void run() {
        try {
            try {
                pumpToEnd();
                link.flowEnded();
            } catch (IOException e) {
                // A reset may not overtake bytes that are held back, and is swallowed like bytes.
                link.awaitPassage();
                if (conditions.swallows(direction)) {
                    link.noteLostBytes();
                    link.awaitClosed();
                }
                link.cut();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            link.cut();
        }
    }

    private void pumpToEnd() throws IOException, InterruptedException {
        while (true) {
            int count = from.getInputStream().read(chunk);
            link.awaitPassage();
            link.pause(conditions.delay());
            if (count < 0) {
                end();
                return;
            }
            pass(count);
        }
    }

    private void pass(int count) throws IOException, InterruptedException {
        int passed = 0;
        while (passed < count) {
            link.awaitPassage();
            int slice = conditions.slice(count - passed);
            if (conditions.swallows(direction)) {
                link.noteLostBytes();
            } else if (link.hasLostBytes()) {
                throw new IOException("bytes before these were lost");
            } else {
                to.getOutputStream().write(chunk, passed, slice);
                link.pause(conditions.duration(slice));
            }
            passed += slice;
        }
    }

    private void end() throws IOException, InterruptedException {
        if (conditions.swallows(direction)) {
            link.noteLostBytes();
            link.awaitClosed();
        } else {
            to.shutdownOutput();
        }
    }
}
