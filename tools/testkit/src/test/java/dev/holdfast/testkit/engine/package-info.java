/** How the engine behaves with a store that fails, when it is given up or closed, and what its requests cost. */
@NullMarked
package dev.holdfast.testkit.engine;

import org.jspecify.annotations.NullMarked;
