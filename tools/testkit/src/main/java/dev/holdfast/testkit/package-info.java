/**
 * For those who test with Holdfast, and those who write stores for it.
 *
 * <p>Tests of your own code: {@link dev.holdfast.testkit.HoldfastExtension} gives a test leases in memory and a {@link
 * dev.holdfast.testkit.ManualClock}, whose time moves only when told; {@link dev.holdfast.testkit.FaultyStore} makes a
 * store fail on purpose.
 *
 * <p>Authors of stores and clients: a store is done when a subclass of {@link dev.holdfast.testkit.stores.LeaseStoreContract}
 * passes, an implementation of {@code Leases} when one of {@link dev.holdfast.testkit.leases.LeasesContract} does.
 *
 * <p>Tests of whole systems: {@link dev.holdfast.testkit.LeaseHistory} records who believed to hold what and when, {@link
 * dev.holdfast.testkit.HistoryChecker} finds where that went wrong.
 */
@NullMarked
package dev.holdfast.testkit;

import org.jspecify.annotations.NullMarked;
