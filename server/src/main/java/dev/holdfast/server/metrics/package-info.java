/** What a server does, in numbers, for Prometheus. */
@NullMarked
package dev.holdfast.server.metrics;

import org.jspecify.annotations.NullMarked;
