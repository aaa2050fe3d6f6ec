package dev.holdfast.chaos.backend;

import dev.holdfast.chaos.network.FaultProxy;
import dev.holdfast.chaos.network.LinkFault;
import java.io.IOException;
import java.util.List;
import java.util.Random;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A fault of connections that lasts until it is healed. Its measure is chosen anew for each strike. */
final class LastingLinkFault implements ChaosFault {
    private final String name;
    private final String kind;
    private final List<FaultProxy> proxies;
    private final Function<Random, LinkFault> choice;
    private @Nullable LinkFault active;

    LastingLinkFault(String name, String kind, List<FaultProxy> proxies, Function<Random, LinkFault> choice) {
        this.name = name;
        this.kind = kind;
        this.proxies = List.copyOf(proxies);
        this.choice = choice;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public String kind() {
        return kind;
    }

    @Override
    public void strike(Random random) throws IOException {
        LinkFault fault = choice.apply(random);
        active = fault;
        for (FaultProxy proxy : proxies) {
            proxy.strike(fault);
        }
    }

    @Override
    public void heal() throws IOException, InterruptedException {
        LinkFault fault = active;
        active = null;
        if (fault != null) {
            for (FaultProxy proxy : proxies) {
                proxy.heal(fault);
            }
        }
    }
}
