/** The links to servers: which server a call goes to, over which transport, and how it ended. */
@NullMarked
package dev.holdfast.client.link;

import org.jspecify.annotations.NullMarked;
