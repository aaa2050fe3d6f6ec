/** Contract suites, a store with faults and a manual clock, for tests of stores and of applications. */
module dev.holdfast.testkit {
    requires transitive dev.holdfast;
    requires transitive org.assertj.core;
    requires transitive org.junit.jupiter.api;

    exports dev.holdfast.testkit;
    exports dev.holdfast.testkit.leases;
    exports dev.holdfast.testkit.stores;
}
