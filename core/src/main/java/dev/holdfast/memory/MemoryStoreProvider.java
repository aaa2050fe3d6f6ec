package dev.holdfast.memory;

import dev.holdfast.store.HostEnvironment;
import dev.holdfast.store.LeaseStore;
import dev.holdfast.store.StoreProvider;
import dev.holdfast.support.ArgumentCheck;
import dev.holdfast.support.StoreUrl;
import dev.holdfast.support.UrlParameters;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The provider of stores in memory. {@code memory:} is a new store; {@code memory:NAME} is shared by all clients in
 * this process that use the same name. {@code ?history=N} sets the length of histories.
 */
public final class MemoryStoreProvider implements StoreProvider {
    private static final String SCHEME = "memory";
    private static final Map<String, MemoryStore> SHARED = new ConcurrentHashMap<>();

    @Override
    public Set<String> schemes() {
        return Set.of(SCHEME);
    }

    @Override
    public LeaseStore open(String url, HostEnvironment hostEnvironment) {
        StoreUrl parsed = StoreUrl.parse(url);
        String name = parsed.address();
        if (!name.matches("[\\w.-]*")) {
            throw ArgumentCheck.bad(
                    "store", url, "memory: or memory:NAME, the name of letters, digits, '.', '_' and '-'");
        }
        int history = UrlParameters.parse(parsed.query(), Set.of(UrlParameters.HISTORY))
                .history();
        MemoryStore store = name.isEmpty()
                ? new MemoryStore(hostEnvironment)
                : SHARED.computeIfAbsent(name, n -> new MemoryStore(hostEnvironment));
        return store.withHistory(history);
    }
}
