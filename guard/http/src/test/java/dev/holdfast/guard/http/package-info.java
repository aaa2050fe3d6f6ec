@NullMarked
package dev.holdfast.guard.http;

import org.jspecify.annotations.NullMarked;
