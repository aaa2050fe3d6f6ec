/** The credentials of a client: bearer tokens, certificates and keys, read again when their files change. */
@NullMarked
package dev.holdfast.client.credentials;

import org.jspecify.annotations.NullMarked;
