/** The calls of clients, independent of the protocol that they arrived by. No method blocks. */
@NullMarked
package dev.holdfast.server.calls;

import org.jspecify.annotations.NullMarked;
