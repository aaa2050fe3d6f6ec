package dev.holdfast.server;

import com.linecorp.armeria.server.ServiceRequestContext;
import dev.holdfast.Key;
import io.grpc.StatusRuntimeException;

/** The limits on the number of waits, watches and sessions. Thread-safe; never blocks. */
public interface StreamAdmission {
    /** Admits every request. */
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

    /** @throws StatusRuntimeException if the limit of waits is reached */
    Place wait(ServiceRequestContext ctx, Key key);

    /** @throws StatusRuntimeException if the limit of watches is reached */
    Place watch(ServiceRequestContext ctx, String prefix);

    /** @throws StatusRuntimeException if the limit of sessions is reached */
    Place session(ServiceRequestContext ctx, Key anchor);

    /** One admitted wait, watch or session. {@link #leave} is called exactly once, however it ended. */
    interface Place {
        void leave();
    }
}
