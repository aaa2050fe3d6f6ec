/**
 * The path of requests to their answers, by which a client, a server and a client of servers speak with each other. Not
 * for users.
 */
@NullMarked
package dev.holdfast.service;

import org.jspecify.annotations.NullMarked;
