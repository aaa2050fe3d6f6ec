@NullMarked
package dev.holdfast.server.http;

import org.jspecify.annotations.NullMarked;
