package dev.holdfast.dashboard.view;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.Key;
import dev.holdfast.dashboard.live.ViewSource;
import dev.holdfast.dashboard.live.ViewState;
import dev.holdfast.fleet.Fleet;
import dev.holdfast.fleet.FleetMap;
import dev.holdfast.fleet.FleetMap.UnitPlace;
import dev.holdfast.server.extension.ServedLeases;
import dev.holdfast.support.ArgumentCheck;
import io.grpc.Status;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * One fleet with the places of all its units. After a change through this server only the changed units are read. All units are
 * listed every few seconds, or less often if that takes long.
 */
final class FleetSource implements ViewSource {
    private static final int REST_PER_LISTING = 20;
    private static final int FLEET_BYTES = 96;

    private final ServedLeases served;
    private final String fleet;
    private final boolean mayAdminister;
    private @Nullable FleetMap last;
    private long listedNanos;
    private long listingNanos;
    private Map<String, UnitPlace> places = Map.of();
    private Map<String, String> texts = new HashMap<>();

    /** @throws RuntimeException if the caller may not read the fleet */
    FleetSource(ServedLeases served, ViewRequest request) {
        this.served = served;
        this.fleet = ArgumentCheck.nonEmptyText("fleet", request.text("fleet"), FLEET_BYTES);
        this.mayAdminister = request.mayAdminister();
        if (!FleetNames.isReadable(request.readable(), fleet)) {
            throw Status.PERMISSION_DENIED
                    .withDescription("this caller may not read all namespaces of the fleet")
                    .asRuntimeException();
        }
    }

    @Override
    public CompletionStage<ViewState> read(Set<Key> changed) {
        FleetMap before = last;
        long begunNanos = served.service().nanos();
        boolean isListingDue =
                before == null || begunNanos - listedNanos >= sinceListing().toNanos();
        CompletionStage<FleetMap> reading;
        if (before == null || (changed.isEmpty() && isListingDue)) {
            reading = Fleet.mapAsync(served.client(), fleet).thenApply(map -> {
                listedNanos = served.service().nanos();
                listingNanos = listedNanos - begunNanos;
                return map;
            });
        } else {
            reading = Fleet.mapAsync(served.client(), before, units(changed));
        }
        return reading.thenApply(map -> {
            last = map;
            return state(map);
        });
    }

    private Duration sinceListing() {
        Duration rest = Duration.ofNanos(REST_PER_LISTING * listingNanos);
        Duration usual = USUAL_PAUSE.dividedBy(2);
        return rest.compareTo(usual) < 0 ? usual : rest;
    }

    private Set<String> units(Set<Key> changed) {
        Set<String> units = new HashSet<>();
        for (Key key : changed) {
            if (key.namespace().equals(FleetNames.units(fleet))) {
                units.add(key.name());
            }
        }
        return units;
    }

    private ViewState state(FleetMap map) {
        Map<String, String> rows = new LinkedHashMap<>();
        Map<String, String> newTexts = new HashMap<>();
        map.units().forEach((unit, place) -> {
            String known = place.equals(places.get(unit)) ? texts.get(unit) : null;
            String text = known != null ? known : row(place).toString();
            newTexts.put(unit, text);
            rows.put(unit, text);
        });
        places = map.units();
        texts = newTexts;
        ObjectNode head = ViewJson.head(served);
        FleetHead.add(head, map.status());
        head.put("mayAdminister", mayAdminister).put("planned", true);
        ObjectNode compared = head.deepCopy();
        compared.remove("planAge");
        return ViewState.of(head, compared, rows, false);
    }

    private static ArrayNode row(UnitPlace place) {
        String note = switch (place.state()) {
            case RESTING -> place.restsUntil().map(ViewJson::time).orElse("");
            case ASSIGNED -> place.heldBy().map(worker -> "held by " + worker).orElse("");
            default -> "";
        };
        return JsonNodeFactory.instance
                .arrayNode()
                .add(place.worker().orElse(""))
                .add(letter(place))
                .add(place.grantedAt().map(Instant::getEpochSecond).orElse(0L))
                .add(note);
    }

    private static String letter(UnitPlace place) {
        return switch (place.state()) {
            case HELD -> "h";
            case ASSIGNED -> "a";
            case PAUSED -> "p";
            case WAITING -> "w";
            case RESTING -> "r";
            case UNPLACED -> "u";
            case DONE -> "d";
            case FREE -> "f";
        };
    }

    @Override
    public boolean concerns(Key key) {
        return FleetNames.of(key).filter(fleet::equals).isPresent();
    }
}
