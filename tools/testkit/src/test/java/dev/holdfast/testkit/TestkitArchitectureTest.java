package dev.holdfast.testkit;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

/** The dependencies of the kit: its users have only the published packages of core. */
class TestkitArchitectureTest {
    private static final JavaClasses TESTKIT = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("dev.holdfast.testkit");

    @Test
    void theKitUsesOnlyNamedPackagesOfCore() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAPackage("dev.holdfast.internal..")
                .check(TESTKIT);
    }

    @Test
    void theContractsOfStoresAndOfClientsAreApart() {
        noClasses()
                .that()
                .resideInAPackage("dev.holdfast.testkit.stores")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("dev.holdfast.testkit.leases")
                .check(TESTKIT);
        noClasses()
                .that()
                .resideInAPackage("dev.holdfast.testkit.leases")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("dev.holdfast.testkit.stores")
                .check(TESTKIT);
    }
}
