/** The log of a test: unexpected lines fail the test. */
@NullMarked
package dev.holdfast.server.log;

import org.jspecify.annotations.NullMarked;
