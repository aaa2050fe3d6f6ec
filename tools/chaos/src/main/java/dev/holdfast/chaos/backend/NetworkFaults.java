package dev.holdfast.chaos.backend;

import dev.holdfast.chaos.network.FaultProxy;
import dev.holdfast.chaos.network.FlowDirection;
import dev.holdfast.chaos.network.LinkFault;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;

/** The faults of proxies, each for one client and for all. */
final class NetworkFaults {
    private NetworkFaults() {}

    static List<ChaosFault> ofClients(ClientProxies proxies) {
        return of("client", proxies);
    }

    /** @param user the kind of process that connects through the proxies, for the names of the faults */
    static List<ChaosFault> of(String user, ClientProxies proxies) {
        List<ChaosFault> faults = new ArrayList<>();
        for (int client = 1; client <= proxies.clients(); client++) {
            add(faults, user + " " + client, proxies.of(client));
        }
        if (proxies.clients() > 1) {
            add(faults, "every " + user, proxies.all());
        }
        return List.copyOf(faults);
    }

    private static void add(List<ChaosFault> faults, String victim, List<FaultProxy> proxies) {
        faults.add(new ActionFault(
                "connections of " + victim + " cut",
                "connection cut",
                random -> proxies.forEach(FaultProxy::cut),
                () -> {}));
        faults.add(new LastingLinkFault(
                "connections of " + victim + " delayed", "connection delay", proxies, NetworkFaults::delay));
        faults.add(new LastingLinkFault(
                "connections of " + victim + " half-open",
                "half-open",
                proxies,
                random -> new LinkFault.Swallowed(Set.of(FlowDirection.values()))));
        faults.add(new LastingLinkFault(
                "answers to " + victim + " lost",
                "answers lost",
                proxies,
                random -> new LinkFault.Swallowed(Set.of(FlowDirection.TO_CLIENT))));
        faults.add(new LastingLinkFault(
                "requests of " + victim + " lost",
                "requests lost",
                proxies,
                random -> new LinkFault.Swallowed(Set.of(FlowDirection.TO_SERVER))));
        faults.add(new LastingLinkFault(
                "connections of " + victim + " refused",
                "connection refused",
                proxies,
                random -> new LinkFault.Refused()));
        faults.add(new LastingLinkFault(
                "older connections of " + victim + " held back",
                "connections reordered",
                proxies,
                random -> new LinkFault.OlderHeld()));
        faults.add(new LastingLinkFault(
                "connections of " + victim + " held back",
                "connection stalled",
                proxies,
                random -> new LinkFault.AllHeld()));
        faults.add(new LastingLinkFault(
                "bandwidth of " + victim + " limited",
                "bandwidth",
                proxies,
                random -> new LinkFault.Limited(500 + random.nextInt(20_000))));
    }

    private static LinkFault delay(Random random) {
        return new LinkFault.Delayed(
                Duration.ofMillis(20 + random.nextInt(400)), Duration.ofMillis(random.nextInt(800)));
    }
}
