/** Units of work spread over a fleet of workers. */
module dev.holdfast.fleet {
    requires transitive dev.holdfast;
    requires org.slf4j;

    exports dev.holdfast.fleet;

    provides dev.holdfast.service.ExplanationSource with
            dev.holdfast.fleet.internal.status.UnitExplanation;
}
