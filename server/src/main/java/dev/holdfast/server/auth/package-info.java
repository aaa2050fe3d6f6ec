/** Who may do what: bearer tokens and client certificates, each with the namespaces that it may read, lease or administer. */
@NullMarked
package dev.holdfast.server.auth;

import org.jspecify.annotations.NullMarked;
