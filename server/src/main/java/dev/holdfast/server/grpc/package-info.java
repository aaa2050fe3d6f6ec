/** The gRPC service. No method blocks: all run on the threads that read the network. */
@NullMarked
package dev.holdfast.server.grpc;

import org.jspecify.annotations.NullMarked;
