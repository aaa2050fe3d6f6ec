package dev.holdfast.server;

import com.linecorp.armeria.server.ServiceRequestContext;
import dev.holdfast.Key;
import io.grpc.StatusRuntimeException;

/** How many may wait, watch and hold sessions. Thread-safe; never blocks. */
public interface StreamAdmission {
    /** Lets everybody in. */
    StreamAdmission OPEN = new StreamAdmission() {
        @Override
        public Place wait(ServiceRequestContext ctx, Key key) {
            return () -> {};
        }

        @Override
        public Place watch(ServiceRequestContext ctx, String prefix) {
            return () -> {};
        }

        @Override
        public Place session(ServiceRequestContext ctx, Key anchor) {
            return () -> {};
        }
    };

    /** @throws StatusRuntimeException if no more may wait */
    Place wait(ServiceRequestContext ctx, Key key);

    /** @throws StatusRuntimeException if no more may watch */
    Place watch(ServiceRequestContext ctx, String prefix);

    /** @throws StatusRuntimeException if no more sessions may be open */
    Place session(ServiceRequestContext ctx, Key anchor);

    /** A place that was taken. Left once, whatever became of it. */
    interface Place {
        void leave();
    }
}
