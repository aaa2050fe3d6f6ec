/** What is around the services of a server, put together as one thing. */
@NullMarked
package dev.holdfast.server.edge;

import org.jspecify.annotations.NullMarked;
