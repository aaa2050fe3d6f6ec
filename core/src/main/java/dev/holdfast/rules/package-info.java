/**
 * The rules of leases: pure functions, without I/O, threads or clocks. Every store, the server, the simulator and the
 * tests run these and no others.
 */
@NullMarked
package dev.holdfast.rules;

import org.jspecify.annotations.NullMarked;
