/**
 * Tools for testing code that uses Holdfast, and for testing stores.
 *
 * <p>Tests of your own code: {@link dev.holdfast.testkit.HoldfastExtension} passes a test leases in memory and a {@link
 * dev.holdfast.testkit.ManualClock}, which moves only when the test advances it. {@link
 * dev.holdfast.testkit.FaultyStore} makes a store fail on purpose.
 *
 * <p>Authors of stores and clients: a store is complete when a subclass of {@link
 * dev.holdfast.testkit.stores.LeaseStoreContract} passes. An implementation of {@code Leases} is complete when a
 * subclass of {@link dev.holdfast.testkit.leases.LeasesContract} passes.
 *
 * <p>Tests of whole systems: {@link dev.holdfast.testkit.LeaseHistory} records which holders considered their leases
 * valid, and when. {@link dev.holdfast.testkit.HistoryChecker} finds violations in that record.
 */
@NullMarked
package dev.holdfast.testkit;

import org.jspecify.annotations.NullMarked;
