package dev.holdfast.server;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The dependencies between the packages of the server. */
class ServerArchitectureTest {
    private static final JavaClasses SERVER = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("dev.holdfast.server");

    /** A package uses only those after it. The empty name is the server itself. */
    private static final List<String> ORDER = List.of(
            ".operations", "", ".grpc", ".http", ".limits", ".calls", ".extension", ".watch", ".security", ".wire");

    private static String server(String name) {
        return "dev.holdfast.server" + name;
    }

    @Test
    void packagesDependOnEachOtherInOneDirection() {
        for (int i = 1; i < ORDER.size(); i++) {
            String[] users = ORDER.subList(0, i).stream()
                    .map(ServerArchitectureTest::server)
                    .toArray(String[]::new);
            noClasses()
                    .that()
                    .resideInAPackage(server(ORDER.get(i)))
                    .should()
                    .dependOnClassesThat()
                    .resideInAnyPackage(users)
                    .check(SERVER);
        }
    }

    /** Both are forms of the same calls. */
    @Test
    void protocolsDoNotDependOnEachOther() {
        noClasses()
                .that()
                .resideInAPackage(server(".grpc"))
                .should()
                .dependOnClassesThat()
                .resideInAPackage(server(".http"))
                .check(SERVER);
    }

    @Test
    void theServerUsesOnlyNamedPackagesOfCore() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("dev.holdfast.internal..")
                .check(SERVER);
    }
}
