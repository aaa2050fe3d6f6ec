/** How the engine behaves with a store that fails, and what its requests cost. */
@NullMarked
package dev.holdfast.testkit.engine;

import org.jspecify.annotations.NullMarked;
