/**
 * Leases for processes on many machines. Applications import {@link dev.holdfast} only. Authors of stores use
 * {@link dev.holdfast.store}; layers on top of a client use {@link dev.holdfast.service} and
 * {@link dev.holdfast.rules}. The packages that are exported to named modules are shared by the modules of Holdfast only,
 * and may change with every version.
 */
// The modules that are named here depend on this one, so the compiler cannot see them yet.
@SuppressWarnings("module")
module dev.holdfast {
    requires static transitive org.jspecify;
    requires org.slf4j;

    exports dev.holdfast;
    exports dev.holdfast.explanation;
    exports dev.holdfast.history;
    exports dev.holdfast.importing;
    exports dev.holdfast.rules;
    exports dev.holdfast.service;
    exports dev.holdfast.store;
    exports dev.holdfast.embedded to
            dev.holdfast.client;
    exports dev.holdfast.environment to
            dev.holdfast.dynamodb,
            dev.holdfast.fleet,
            dev.holdfast.postgres,
            dev.holdfast.sqlite;
    exports dev.holdfast.support to
            dev.holdfast.accord,
            dev.holdfast.client,
            dev.holdfast.dynamodb,
            dev.holdfast.dynamodb.layouts,
            dev.holdfast.fleet,
            dev.holdfast.postgres,
            dev.holdfast.server,
            dev.holdfast.sqlite,
            dev.holdfast.testkit,
            dev.holdfast.wire;

    uses dev.holdfast.service.ExplanationSource;
    uses dev.holdfast.service.LeasesProvider;
    uses dev.holdfast.store.StoreProvider;

    provides dev.holdfast.store.StoreProvider with
            dev.holdfast.memory.MemoryStoreProvider;
}
