package dev.holdfast.spring.boot;

import dev.holdfast.Holdfast;
import dev.holdfast.LeaseListener;
import dev.holdfast.Leases;
import dev.holdfast.LeasesOptions;
import dev.holdfast.StoreException;
import dev.holdfast.spring.LeasesCustomizer;
import dev.holdfast.spring.LeasesOpener;
import dev.holdfast.spring.datasource.DataSourceStore;
import dev.holdfast.support.ListenerGroup;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;

/** Opens the clients of the stores that properties name. */
final class StoreClientFactory {
    private static final Logger log = LoggerFactory.getLogger(StoreClientFactory.class);

    private final HoldfastProperties properties;
    private final DataSourceStore dataSources;
    private final ObjectProvider<LeaseListener> listeners;
    private final ObjectProvider<ClientInstrumentation> instrumentation;
    private final ObjectProvider<LeasesCustomizer> customizers;
    private final ObjectProvider<LeasesOpener> replacements;

    StoreClientFactory(
            HoldfastProperties properties,
            DataSourceStore dataSources,
            ObjectProvider<LeaseListener> listeners,
            ObjectProvider<ClientInstrumentation> instrumentation,
            ObjectProvider<LeasesCustomizer> customizers,
            ObjectProvider<LeasesOpener> replacements) {
        this.properties = properties;
        this.dataSources = dataSources;
        this.listeners = listeners;
        this.instrumentation = instrumentation;
        this.customizers = customizers;
        this.replacements = replacements;
    }

    /** @param name as in {@code holdfast.stores.NAME}; empty for {@code holdfast.store} */
    Leases open(String name) {
        LeasesOpener replacement = replacements.getIfAvailable();
        Leases leases = replacement == null ? openChosen(name) : replacement.open(name, options(name));
        ClientInstrumentation measured = instrumentation.getIfAvailable();
        return measured == null ? leases : measured.wrap(leases);
    }

    private Leases openChosen(String name) {
        String property = name.isEmpty() ? "holdfast.store" : "holdfast.stores." + name + ".store";
        String chosen = chosen(name);
        if (chosen == null || chosen.isBlank()) {
            throw StoreChoices.unset(property);
        }
        String url = DataSourceStore.isDataSource(chosen) ? dataSources.url(chosen, property) : chosen;
        try {
            Leases leases = Holdfast.open(url, options(name));
            log.info("Holdfast opened the store of {}", property);
            return leases;
        } catch (IllegalArgumentException e) {
            throw StoreChoices.unusable(property, e.getMessage() + StoreChoices.artifactHint(url), e);
        } catch (StoreException e) {
            throw StoreChoices.unreachable(property, e);
        }
    }

    private @Nullable String chosen(String name) {
        if (name.isEmpty()) {
            return properties.store();
        }
        HoldfastProperties.NamedStore named = properties.stores().get(name);
        return named == null ? null : named.store();
    }

    private LeasesOptions options(String name) {
        LeasesOptions.Builder options = LeasesOptions.builder().operationTimeout(properties.operationTimeout());
        if (properties.holder() != null) {
            options.holder(properties.holder());
        }
        List<LeaseListener> all = new ArrayList<>(listeners.orderedStream().toList());
        instrumentation.ifAvailable(measured -> all.add(measured.listener(name.isEmpty() ? "default" : name)));
        if (!all.isEmpty()) {
            options.listener(all.size() == 1 ? all.get(0) : new ListenerGroup(all));
        }
        customizers.orderedStream().forEach(customizer -> customizer.customize(name, options));
        return options.build();
    }
}
