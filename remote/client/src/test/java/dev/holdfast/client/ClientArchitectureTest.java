package dev.holdfast.client;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

/** The dependencies between the packages of the client of servers. */
class ClientArchitectureTest {
    private static final JavaClasses CLIENT = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("dev.holdfast.client");

    @Test
    void packagesDependOnEachOtherInOneDirection() {
        layeredArchitecture()
                .consideringOnlyDependenciesInLayers()
                .layer("requests")
                .definedBy("dev.holdfast.client")
                .layer("links")
                .definedBy("dev.holdfast.client.link")
                .layer("credentials")
                .definedBy("dev.holdfast.client.credentials")
                .whereLayer("requests")
                .mayNotBeAccessedByAnyLayer()
                .whereLayer("links")
                .mayOnlyBeAccessedByLayers("requests")
                .check(CLIENT);
    }

    @Test
    void onlyLinksUseTheTransport() {
        noClasses()
                .that()
                .resideOutsideOfPackage("dev.holdfast.client.link")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("io.grpc.netty..", "java.net.http..")
                .orShould()
                .dependOnClassesThat()
                .haveFullyQualifiedName("java.net.HttpURLConnection")
                .check(CLIENT);
    }

    @Test
    void theClientUsesOnlyNamedPackagesOfCore() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("dev.holdfast.internal..", "dev.holdfast.server..")
                .check(CLIENT);
    }
}
