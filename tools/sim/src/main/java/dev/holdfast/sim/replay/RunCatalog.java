package dev.holdfast.sim.replay;

import dev.holdfast.sim.SimulatedVariant;
import dev.holdfast.sim.SimulationSoak;
import dev.holdfast.sim.bugs.PlantedBug;
import dev.holdfast.sim.bugs.PlantedFleetBug;
import dev.holdfast.sim.bugs.PlantedLabelBug;
import dev.holdfast.sim.scenario.ScenarioList;
import dev.holdfast.sim.scenario.SimulationScenario;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The scenarios and planted bugs by their names. */
final class RunCatalog {
    private RunCatalog() {}

    /**
     * A planted bug.
     *
     * @param scenario the scenario that catches it
     */
    record CatalogBug(String name, SimulatedVariant variant, String scenario) {}

    static List<SimulationScenario> scenarios() {
        return Stream.concat(ScenarioList.all().stream(), SimulationSoak.fleetScenarios().stream())
                .toList();
    }

    static List<CatalogBug> bugs() {
        List<CatalogBug> bugs = new ArrayList<>();
        for (PlantedBug bug : PlantedBug.values()) {
            bugs.add(new CatalogBug(bug.name(), bug, bug.scenario()));
        }
        for (PlantedFleetBug bug : PlantedFleetBug.values()) {
            bugs.add(new CatalogBug(bug.name(), bug, bug.scenario().name()));
        }
        for (PlantedLabelBug bug : PlantedLabelBug.values()) {
            bugs.add(new CatalogBug(bug.name(), bug, bug.scenario().name()));
        }
        return bugs;
    }

    static SimulationScenario scenario(String name) {
        return scenarios().stream()
                .filter(scenario -> scenario.name().equals(name))
                .findFirst()
                .orElseThrow(() -> unknown("scenario", name));
    }

    static CatalogBug bug(String name) {
        return bugs().stream()
                .filter(bug -> bug.name().equals(name))
                .findFirst()
                .orElseThrow(() -> unknown("bug", name));
    }

    private static IllegalArgumentException unknown(String kind, String name) {
        return new IllegalArgumentException(kind + ": " + name + " (expected: a name of ./holdfast-sim list)");
    }
}
