/** The conversion between protocol messages and the types of Holdfast, for servers and clients. */
@NullMarked
package dev.holdfast.wire;

import org.jspecify.annotations.NullMarked;
