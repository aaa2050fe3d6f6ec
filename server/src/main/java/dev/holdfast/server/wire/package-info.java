/** Translation between the wire protocols and Holdfast's types. */
@NullMarked
package dev.holdfast.server.wire;

import org.jspecify.annotations.NullMarked;
