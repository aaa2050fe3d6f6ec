@NullMarked
package dev.holdfast.server.watch;

import org.jspecify.annotations.NullMarked;
