package dev.holdfast.store;

import dev.holdfast.Fence;
import dev.holdfast.Key;

/**
 * The one grant of an anchor that an anchored lease lives and dies with. Once that grant has ended, it stays dead for
 * ever: the anchor's next grant has another fence.
 */
public record AnchorRef(Key key, Fence fence) {}
