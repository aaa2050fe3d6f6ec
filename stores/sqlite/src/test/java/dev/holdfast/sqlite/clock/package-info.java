@NullMarked
package dev.holdfast.sqlite.clock;

import org.jspecify.annotations.NullMarked;
