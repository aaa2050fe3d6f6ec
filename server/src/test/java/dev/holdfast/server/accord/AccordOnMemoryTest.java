package dev.holdfast.server.accord;

import dev.holdfast.server.EdgeServer;

class AccordOnMemoryTest extends AccordContract {
    @Override
    EdgeServer open() {
        return new EdgeServer(server -> server.with(new AccordWire()));
    }
}
