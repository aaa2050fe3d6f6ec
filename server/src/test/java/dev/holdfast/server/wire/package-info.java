@NullMarked
package dev.holdfast.server.wire;

import org.jspecify.annotations.NullMarked;
