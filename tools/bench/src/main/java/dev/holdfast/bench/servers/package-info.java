/** The servers of a comparison: each is a real process on the loopback interface, with durable writes. */
@NullMarked
package dev.holdfast.bench.servers;

import org.jspecify.annotations.NullMarked;
