/** A lock registry for Spring Integration. */
module dev.holdfast.spring.integration {
    requires transitive dev.holdfast;
    requires dev.holdfast.locks;
    requires transitive spring.integration.core;

    exports dev.holdfast.spring.integration;
}
