/** The store on an SQLite file. Applications open it by its URL. */
module dev.holdfast.sqlite {
    requires transitive dev.holdfast;
    requires java.sql;
    requires org.slf4j;
    requires org.xerial.sqlitejdbc;

    exports dev.holdfast.sqlite;

    provides dev.holdfast.store.StoreProvider with
            dev.holdfast.sqlite.SqliteStoreProvider;
}
