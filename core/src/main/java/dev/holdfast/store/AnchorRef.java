package dev.holdfast.store;

import dev.holdfast.Fence;
import dev.holdfast.Key;

/**
 * The one grant of an anchor that keeps an anchored lease alive. Once that grant has ended, the lease has ended for
 * ever: the anchor's next grant has another fence.
 */
public record AnchorRef(Key key, Fence fence) {}
