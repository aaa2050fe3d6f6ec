package dev.holdfast.mutants;

import java.lang.reflect.Modifier;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.pitest.classinfo.ClassByteArraySource;
import org.pitest.help.PitHelpError;
import org.pitest.testapi.Configuration;
import org.pitest.testapi.TestGroupConfig;
import org.pitest.testapi.TestPluginFactory;
import org.pitest.testapi.TestSuiteFinder;
import org.pitest.testapi.TestUnit;
import org.pitest.testapi.TestUnitExecutionListener;
import org.pitest.testapi.TestUnitFinder;

/**
 * A plugin of pitest that runs tests of JUnit 6, a class at a time. The plugin of pitest itself runs each test alone. JUnit then
 * examines the whole class for each of them, which takes ten times as long as the tests.
 */
public final class TestClassPlugin implements TestPluginFactory {
    @Override
    public Configuration createTestFrameworkConfiguration(
            TestGroupConfig config,
            ClassByteArraySource source,
            Collection<String> excludedRunners,
            Collection<String> includedTestMethods) {
        return new WholeClasses();
    }

    @Override
    public String name() {
        return "classes";
    }

    @Override
    public String description() {
        return "Classes of JUnit 6";
    }

    static LauncherDiscoveryRequest request(String testClass) {
        return LauncherDiscoveryRequestBuilder.request()
                .selectors(DiscoverySelectors.selectClass(testClass))
                .build();
    }

    /** Each top-level class with tests is one unit, with all nested classes. */
    private static final class WholeClasses implements Configuration, TestUnitFinder {
        @Override
        public List<TestUnit> findTestUnits(Class<?> candidate, TestUnitExecutionListener listener) {
            boolean isRun = candidate.getEnclosingClass() == null
                    && !Modifier.isAbstract(candidate.getModifiers())
                    && LauncherFactory.create()
                            .discover(request(candidate.getName()))
                            .containsTests();
            return isRun ? List.of(new TestClassUnit(candidate)) : List.of();
        }

        @Override
        public TestUnitFinder testUnitFinder() {
            return this;
        }

        @Override
        public TestSuiteFinder testSuiteFinder() {
            return suite -> List.of();
        }

        @Override
        public Optional<PitHelpError> verifyEnvironment() {
            return Optional.empty();
        }
    }
}
