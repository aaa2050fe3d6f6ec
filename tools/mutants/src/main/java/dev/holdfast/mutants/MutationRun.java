package dev.holdfast.mutants;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.pitest.mutationtest.config.PluginServices;
import org.pitest.mutationtest.config.ReportOptions;
import org.pitest.mutationtest.tooling.AnalysisResult;
import org.pitest.mutationtest.tooling.EntryPoint;
import org.pitest.testapi.TestGroupConfig;
import org.pitest.util.Glob;
import org.pitest.util.Verbosity;

/**
 * One run of pitest. It first records which test runs which instruction. Then each mutant runs against the tests that reach it, the
 * fastest first, in other processes, until one fails.
 *
 * @param classPath everything that the tests need; its folders may have classes that are changed
 * @param changed the folder of the classes that are changed
 * @param sources the source code of these classes
 * @param classes patterns of the classes that are changed
 * @param tests patterns of test classes
 * @param omittedTests patterns of test classes that are omitted from these
 * @param reports the folder for the report
 */
record MutationRun(
        List<String> classPath,
        Path changed,
        Path sources,
        List<String> classes,
        List<String> tests,
        List<String> omittedTests,
        Path reports) {
    private static final int THREADS = 2;

    /** The mutants of one process: few enough that no process is left alone with a large class at the end. */
    private static final int MUTANTS_PER_PROCESS = 25;

    /**
     * pitest's default set: a condition that is never true, a boundary that is off by one, other arithmetic, increments and
     * signs, omitted calls of void methods, and empty or constant results.
     */
    private static final String MUTATORS = "DEFAULTS";

    /** A test may take a quarter longer than without a change, and this much more: enough for a pause of a busy machine. */
    private static final long SLACK_MILLIS = 10_000;

    /** Short-lived processes: no time is lost with thorough compilation. One test at a time, to know what it runs. */
    private static final List<String> JVM = List.of(
            "-Xmx768m",
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-Djunit.jupiter.execution.parallel.enabled=false");

    List<Mutant> run() throws IOException {
        Files.createDirectories(reports);
        AnalysisResult result =
                new EntryPoint().execute(reports.toFile(), options(), PluginServices.makeForContextLoader(), Map.of());
        if (result.getError().isPresent()) {
            throw new IOException("pitest failed", result.getError().get());
        }
        return new MutantReport(sources).read(reports.resolve("mutations.xml"));
    }

    private ReportOptions options() {
        ReportOptions options = new ReportOptions();
        options.setReportDir(reports.toString());
        options.setShouldCreateTimestampedReports(false);
        options.addOutputFormats(List.of("XML"));
        options.setVerbosity(Verbosity.QUIET_WITH_PROGRESS);
        options.setClassPathElements(classPath);
        options.setCodePaths(List.of(changed.toString()));
        options.setSourceDirs(List.of(sources));
        options.setTargetClasses(classes);
        options.setTargetTests(Glob.toGlobPredicates(tests));
        options.setExcludedTestClasses(Glob.toGlobPredicates(omittedTests));
        options.setGroupConfig(new TestGroupConfig());
        options.setMutators(List.of(MUTATORS));
        options.setDetectInlinedCode(true);
        options.setNumberOfThreads(THREADS);
        options.setMutationUnitSize(MUTANTS_PER_PROCESS);
        options.setTimeoutConstant(SLACK_MILLIS);
        options.setTimeoutFactor(1.25f);
        options.addChildJVMArgs(JVM);
        return options;
    }
}
