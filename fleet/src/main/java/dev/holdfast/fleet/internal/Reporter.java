package dev.holdfast.fleet.internal;

import dev.holdfast.Anchor;
import dev.holdfast.internal.Futures;
import org.jspecify.annotations.Nullable;

/** Writes a worker's report onto its anchor, when it has changed, and one at a time. Confined to its {@link Serial}. */
final class Reporter {
    private final Post post;
    private @Nullable Report written;
    private boolean writing;

    Reporter(Post post) {
        this.post = post;
    }

    /** A new anchor says nothing as yet. */
    void reset() {
        written = null;
    }

    /** @param then called when it is written */
    void write(Anchor anchor, Runnable then, Report report) {
        if (writing || report.equals(written)) {
            return;
        }
        writing = true;
        Futures.whenDone(
                anchor.updateAsync(report.toPatch()),
                (nothing, error) -> post.run(() -> {
                    writing = false;
                    if (error == null) {
                        written = report;
                        then.run();
                    } else {
                        post.trouble("reporting", Futures.cause(error));
                    }
                }));
    }
}
