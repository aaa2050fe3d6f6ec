@NullMarked
package dev.holdfast.dashboard;

import org.jspecify.annotations.NullMarked;
