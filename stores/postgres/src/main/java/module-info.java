/** The store on PostgreSQL. Applications open it by its URL. */
module dev.holdfast.postgres {
    requires com.zaxxer.hikari;
    requires transitive dev.holdfast;
    requires transitive java.sql;
    requires org.postgresql.jdbc;
    requires org.slf4j;

    exports dev.holdfast.postgres;

    provides dev.holdfast.store.StoreProvider with
            dev.holdfast.postgres.PostgresStoreProvider;
}
