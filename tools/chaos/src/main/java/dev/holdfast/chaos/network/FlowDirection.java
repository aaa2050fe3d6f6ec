package dev.holdfast.chaos.network;

/** The direction of bytes on a link. */
public enum FlowDirection {
    TO_SERVER,
    TO_CLIENT
}
