/** The same calls over plain HTTP and JSON, for curl and for those who have no gRPC. Nothing in it blocks. */
@NullMarked
package dev.holdfast.server.http;

import org.jspecify.annotations.NullMarked;
