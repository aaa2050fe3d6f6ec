/** A TCP proxy for one client and one server, with the faults of networks. */
@NullMarked
package dev.holdfast.chaos.network;

import org.jspecify.annotations.NullMarked;
