@NullMarked
package dev.holdfast.sqlite.scan;

import org.jspecify.annotations.NullMarked;
