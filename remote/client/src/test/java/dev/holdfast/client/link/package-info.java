@NullMarked
package dev.holdfast.client.link;

import org.jspecify.annotations.NullMarked;
