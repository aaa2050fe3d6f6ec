/**
 * For authors of stores and of layers: what a store must do, and where time and chance come from.
 *
 * <p>A store makes no decision about leases. It compares versions, keeps what it acknowledged, and tells how old a beat
 * is if it has a clock that all its clients share. {@code LeaseStoreContract} in the testkit holds every promise made
 * here; a store is done when it passes.
 */
@NullMarked
package dev.holdfast.spi;

import org.jspecify.annotations.NullMarked;
