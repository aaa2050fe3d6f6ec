package dev.holdfast.server.log;

import dev.holdfast.server.log.RecordedLog.Line;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * An extension that fails every test whose log has a warning of Armeria or Netty, or a report of a bug in Holdfast.
 * Such a line means that a callback ran in the context of another request, a cleanup was skipped, or an exception was
 * not handled. Warnings of the test's own client are ignored. Registered for all tests, as a service.
 */
public final class CleanLog implements BeforeEachCallback, AfterEachCallback, AfterAllCallback {
    /** Warnings about bytes that a client sent. */
    private static final List<String> CAUSED_BY_PEERS = List.of("TLS handshake failed", "HTTP/2 connection error");

    private static final String BUG = "bug in Holdfast";

    /** The lines that any test so far expects: classes run in parallel, and one may find the lines of another. */
    private static final Set<String> expected = ConcurrentHashMap.newKeySet();

    @Override
    public void beforeEach(ExtensionContext context) {
        Stream.concat(
                        context.getTestMethod().stream().map(method -> method.getAnnotation(ExpectedLog.class)),
                        context.getTestClass().stream().map(type -> type.getAnnotation(ExpectedLog.class)))
                .filter(annotation -> annotation != null)
                .forEach(annotation -> expected.addAll(List.of(annotation.value())));
    }

    @Override
    public void afterEach(ExtensionContext context) {
        requireClean();
    }

    /** Covers lines that are logged when a server shared by several tests is closed. */
    @Override
    public void afterAll(ExtensionContext context) {
        requireClean();
    }

    private static void requireClean() {
        List<Line> unexpected = RecordedLog.takeWarnings().stream()
                .filter(CleanLog::isForbidden)
                .filter(line -> expected.stream().noneMatch(line.toString()::contains))
                .toList();
        if (!unexpected.isEmpty()) {
            AssertionError failure =
                    new AssertionError(unexpected.size() + " lines in the log, such as: " + unexpected.get(0));
            unexpected.stream()
                    .map(Line::error)
                    .filter(error -> error != null)
                    .findFirst()
                    .ifPresent(failure::initCause);
            throw failure;
        }
    }

    private static boolean isForbidden(Line line) {
        boolean ofClient = line.logger().startsWith("com.linecorp.armeria.client.");
        boolean ofTransport = line.logger().startsWith("com.linecorp.armeria.")
                || line.logger().startsWith("io.netty.");
        boolean ofPeer = CAUSED_BY_PEERS.stream().anyMatch(line.message()::contains);
        return (ofTransport && !ofClient && !ofPeer) || line.message().contains(BUG);
    }
}
