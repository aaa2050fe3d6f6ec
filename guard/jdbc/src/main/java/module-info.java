/** Resources that refuse a fence that is older than one they have seen. */
module dev.holdfast.guard {
    requires transitive dev.holdfast;
    requires transitive java.sql;

    exports dev.holdfast.guard;
}
