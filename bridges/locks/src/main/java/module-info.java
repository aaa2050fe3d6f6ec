/** Leases as {@link java.util.concurrent.locks.Lock}. */
module dev.holdfast.locks {
    requires transitive dev.holdfast;
    requires org.slf4j;

    exports dev.holdfast.locks;
}
