package dev.holdfast.fleet;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The dependencies between the packages of a fleet. */
class FleetArchitectureTest {
    private static final JavaClasses FLEET = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("dev.holdfast.fleet");

    /** A package uses only those after it. */
    private static final List<String> ORDER =
            List.of("unplanned", "worker", "status", "planner", "control", "reports", "units", "execution", "balance");

    private static String internal(String name) {
        return "dev.holdfast.fleet.internal." + name;
    }

    @Test
    void internalPackagesDependOnEachOtherInOneDirection() {
        for (int i = 1; i < ORDER.size(); i++) {
            String[] users = ORDER.subList(0, i).stream()
                    .map(FleetArchitectureTest::internal)
                    .toArray(String[]::new);
            noClasses()
                    .that()
                    .resideInAPackage(internal(ORDER.get(i)))
                    .should()
                    .dependOnClassesThat()
                    .resideInAnyPackage(users)
                    .check(FLEET);
        }
    }

    @Test
    void workersWithoutAPlannerCanBeRemoved() {
        noClasses()
                .that()
                .resideOutsideOfPackage(internal("unplanned"))
                .and()
                .areNotAssignableTo(FleetBuilder.class)
                .should()
                .dependOnClassesThat()
                .resideInAPackage(internal("unplanned"))
                .check(FLEET);
    }

    @Test
    void aFleetUsesOnlyNamedPackagesOfCore() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("dev.holdfast.internal..")
                .check(FLEET);
    }
}
