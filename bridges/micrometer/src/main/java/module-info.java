/** Metrics and traces of leases, through Micrometer. */
module dev.holdfast.micrometer {
    requires transitive dev.holdfast;
    requires transitive micrometer.commons;
    requires transitive micrometer.core;
    requires transitive micrometer.observation;
    requires org.slf4j;

    exports dev.holdfast.micrometer;
}
