/** Words of the wire into words of Holdfast, and back: for the server and for clients. */
@NullMarked
package dev.holdfast.wire;

import org.jspecify.annotations.NullMarked;
