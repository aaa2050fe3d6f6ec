package dev.holdfast.model;

/**
 * The one grant of an anchor that an anchored lease lives and dies with. Once that grant has ended, it stays dead for
 * ever: the anchor's next grant has another fence.
 */
public record AnchorRef(Key key, Fence fence) {}
