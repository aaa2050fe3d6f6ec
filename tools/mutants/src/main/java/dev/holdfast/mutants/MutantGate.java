package dev.holdfast.mutants;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A program that fails if a mutant of core survives that is not in the list of survivors, or if the score of a package is too low.
 * Its arguments are the folder of the project and, for a part of the run, a pattern of classes.
 */
public final class MutantGate {
    /** The packages whose classes are changed, and the least score in percent. */
    private static final Map<String, Integer> AIMS = new TreeMap<>(Map.of(
            "dev.holdfast.rules", 95,
            "dev.holdfast.internal.pipeline", 85,
            "dev.holdfast.internal.waiting", 85,
            "dev.holdfast.internal.holding", 85));

    private static final List<String> TESTS = List.of(
            "dev.holdfast.rules.*Test",
            "dev.holdfast.internal.*Test",
            "dev.holdfast.testkit.*Test",
            "dev.holdfast.sim.ShortSimulationTest");

    /** Tests of the source code, tests that depend on the speed of threads, and tests that take seconds and find nothing more. */
    private static final List<String> OMITTED_TESTS = List.of(
            "dev.holdfast.testkit.TestkitArchitectureTest",
            "dev.holdfast.testkit.LeaderElectionTest",
            "dev.holdfast.testkit.pipeline.CancelRaceTest",
            "dev.holdfast.testkit.pipeline.StoreThreadTest",
            "dev.holdfast.testkit.memory.MemoryLanesLeasesContractTest");

    private static final List<String> TEST_MODULES = List.of("core", "tools/testkit", "tools/sim");
    private static final List<String> MODULES = List.of("core", "fleet", "tools/testkit", "tools/sim", "tools/mutants");

    private final Path project;

    private MutantGate(Path project) {
        this.project = project;
    }

    public static void main(String[] arguments) throws IOException {
        MutantGate gate = new MutantGate(Path.of(arguments[0]).toRealPath());
        boolean isPart = arguments.length > 1 && !arguments[1].isEmpty();
        List<String> classes = isPart
                ? List.of(arguments[1].split(",", -1))
                : AIMS.keySet().stream().map(it -> it + ".*").toList();
        System.exit(gate.check(gate.run(classes)) ? 0 : 1);
    }

    private List<Mutant> run(List<String> classes) throws IOException {
        return new MutationRun(
                        classPath(),
                        project.resolve("core/target/classes"),
                        project.resolve("core/src/main/java"),
                        classes,
                        TESTS,
                        OMITTED_TESTS,
                        project.resolve("tools/mutants/target/pitest"))
                .run();
    }

    /** The folders of the modules, and all libraries of this program. */
    private List<String> classPath() throws IOException {
        List<String> elements = new ArrayList<>();
        for (String module : TEST_MODULES) {
            elements.add(folder(module + "/target/test-classes"));
        }
        for (String module : MODULES) {
            elements.add(folder(module + "/target/classes"));
        }
        for (String element : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
            String name = String.valueOf(Path.of(element).getFileName());
            if (name.endsWith(".jar") && !name.startsWith("holdfast-")) {
                elements.add(element);
            }
        }
        return elements;
    }

    private String folder(String path) throws IOException {
        Path folder = project.resolve(path);
        if (!Files.isDirectory(folder)) {
            throw new IOException("folder: " + folder + " (expected: compiled, by -am)");
        }
        return folder.toString();
    }

    private boolean check(List<Mutant> mutants) throws IOException {
        boolean isFine = true;
        List<Mutant> withoutResult = mutants.stream()
                .filter(it -> !it.fate().isDetected() && !it.fate().isUndetected())
                .toList();
        for (Mutant mutant : withoutResult) {
            System.out.println("\nwithout a result (" + mutant.fate() + "):\n" + SurvivorList.block(mutant));
            isFine = false;
        }
        SurvivorCheck check =
                SurvivorCheck.of(mutants, SurvivorList.read(project.resolve("tools/mutants/survivors.txt")));
        for (KnownSurvivor survivor : check.outdated()) {
            System.out.println("\nin the list, but killed or gone:\n" + survivor.site());
        }
        for (Mutant mutant : check.unexplained()) {
            System.out.println("\nsurvived (" + mutant.fate() + ", line " + mutant.line() + "), not in the list:\n"
                    + SurvivorList.block(mutant));
            isFine = false;
        }
        System.out.println();
        for (Map.Entry<String, Integer> aim : AIMS.entrySet()) {
            PackageScore score = PackageScore.of(aim.getKey(), aim.getValue(), mutants);
            if (score.total() > 0) {
                System.out.println(score + (score.isReached() ? "" : ", TOO LOW"));
                isFine &= score.isReached();
            }
        }
        System.out.println("mutants: " + check.unexplained().size() + " not in the list, "
                + check.outdated().size() + " of the list outdated, " + withoutResult.size() + " without a result");
        return isFine;
    }
}
