/** The parts of the wire that all protocols share: errors, rejections, paths, logs and continuations. */
@NullMarked
package dev.holdfast.server.wire;

import org.jspecify.annotations.NullMarked;
