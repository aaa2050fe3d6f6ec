/** The same calls over plain HTTP and JSON, for curl and for clients without gRPC. No method blocks. */
@NullMarked
package dev.holdfast.server.http;

import org.jspecify.annotations.NullMarked;
