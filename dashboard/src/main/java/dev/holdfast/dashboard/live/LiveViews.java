package dev.holdfast.dashboard.live;

import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.holdfast.Key;
import dev.holdfast.server.extension.ServedLeases;
import dev.holdfast.support.Futures;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * All open views of a server. Streams with equal keys share a view. While no stream is open, nothing is read and nothing is kept.
 *
 * @param <K> identifies a view: its parameters, and the permissions of its readers
 */
public final class LiveViews<K> {
    private final ServedLeases served;
    private final Function<K, ViewSource> sources;
    private final Map<K, SharedView> views = new HashMap<>();
    /** The same views, for the threads of requests. */
    private final List<SharedView> open = new CopyOnWriteArrayList<>();

    private @Nullable Runnable unregister;

    public LiveViews(ServedLeases served, Function<K, ViewSource> sources) {
        this.served = served;
        this.sources = sources;
    }

    /** Opens a stream of a view. Called on the event loop of the request. */
    public HttpResponse stream(ServiceRequestContext ctx, K key, BooleanSupplier isAllowed) {
        AtomicReference<LiveStream> stream = new AtomicReference<>();
        served.openStream(ctx, reason -> {
            LiveStream begun = stream.get();
            if (begun != null) {
                begun.end();
            }
        });
        while (true) {
            SharedView view = view(key);
            LiveStream next = new LiveStream(ctx, view, isAllowed);
            if (view.join(next)) {
                stream.set(next);
                Futures.whenDone(ctx.log().whenComplete(), (log, error) -> leave(key, view, next));
                return next.begin();
            }
            forget(key, view); // Its last stream has just left.
        }
    }

    private synchronized SharedView view(K key) {
        SharedView known = views.get(key);
        if (known != null) {
            return known;
        }
        SharedView view = new SharedView(sources.apply(key), served.service().environment());
        views.put(key, view);
        open.add(view);
        if (unregister == null) {
            unregister = served.onChanged(this::changed);
        }
        return view;
    }

    private void leave(K key, SharedView view, LiveStream stream) {
        if (view.leave(stream)) {
            forget(key, view);
        }
    }

    private synchronized void forget(K key, SharedView view) {
        views.remove(key, view);
        open.remove(view);
        if (views.isEmpty() && unregister != null) {
            unregister.run();
            unregister = null;
        }
    }

    private void changed(Key key) {
        for (SharedView view : open) {
            view.noticed(key);
        }
    }

    /** Reads all views again soon: after an action of an operator. */
    public void refresh() {
        open.forEach(SharedView::refresh);
    }

    /** The number of open views. */
    public synchronized int size() {
        return views.size();
    }
}
