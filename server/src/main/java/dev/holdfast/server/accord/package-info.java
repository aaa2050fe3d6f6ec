/**
 * accord's wire on Holdfast's leases: an accord client that is pointed at this server finds all that it knows.
 *
 * <p>A handle is a grant, its id the token, its owner the holder, its metadata the attributes.
 */
@NullMarked
package dev.holdfast.server.accord;

import org.jspecify.annotations.NullMarked;
