@NullMarked
package dev.holdfast.server.host;

import org.jspecify.annotations.NullMarked;
