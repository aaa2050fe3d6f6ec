/** Words of the wire into words of Holdfast, and back. */
@NullMarked
package dev.holdfast.server.wire;

import org.jspecify.annotations.NullMarked;
