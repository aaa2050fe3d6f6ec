@NullMarked
package dev.holdfast.server.metrics;

import org.jspecify.annotations.NullMarked;
