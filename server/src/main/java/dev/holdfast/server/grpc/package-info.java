/** The gRPC service. Nothing in it blocks: its methods run on the threads that read the network. */
@NullMarked
package dev.holdfast.server.grpc;

import org.jspecify.annotations.NullMarked;
