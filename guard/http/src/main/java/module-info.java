/** HTTP requests that carry a fence, and servers that refuse an old one. */
module dev.holdfast.guard.http {
    requires transitive dev.holdfast.guard;
    requires transitive java.net.http;
    requires transitive java.sql;
    // An application needs only the one that it uses.
    requires static transitive com.linecorp.armeria;
    requires static io.netty.common;
    requires static transitive jakarta.servlet;

    exports dev.holdfast.guard.http;
}
