@NullMarked
package dev.holdfast.sqlite;

import org.jspecify.annotations.NullMarked;
