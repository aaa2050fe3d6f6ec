package dev.holdfast.accord;

import dev.holdfast.server.EdgeServer;
import org.junit.jupiter.api.Tag;

@Tag("slow")
class AccordOnMemoryTest extends AccordContract {
    @Override
    EdgeServer open() {
        return new EdgeServer(server -> server.with(new AccordWire()));
    }
}
