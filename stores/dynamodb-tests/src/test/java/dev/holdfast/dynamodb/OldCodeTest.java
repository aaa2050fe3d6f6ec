package dev.holdfast.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs the code from before there were formats and today's code on one table that today's code created. */
class OldCodeTest {
    private static final Path JARS = Path.of("../../remote/client/src/test/old-code");
    private static final Path DRILL = JARS.resolve("TableDrill.java");

    @TempDir
    private Path folder;

    @Test
    void oldAndNewCodeShareATableThatTheNewCodeCreated() throws Exception {
        String url = LocalDynamo.patientUrl(LocalDynamo.freshTable());
        new DynamoStoreProvider().init(url, progress -> {});

        assertThat(new TableDrill().apply(url, "new"))
                .containsExactly("released: true", "anchored: true", "taken from the other: []");
        assertThat(oldDrill(url, "old"))
                .containsExactly("released: true", "anchored: true", "taken from the other: [free, unit]");
        assertThat(new TableDrill().apply(url, "newer"))
                .containsExactly("released: true", "anchored: true", "taken from the other: [free, free, unit, unit]");
    }

    private List<String> oldDrill(String url, String own) throws Exception {
        List<Path> path = new ArrayList<>(List.of(JARS.resolve("core.jar"), JARS.resolve("dynamodb.jar")));
        path.addAll(thirdParty());
        compileDrill(path);
        path.add(folder);
        List<URL> urls = new ArrayList<>();
        for (Path entry : path) {
            urls.add(entry.toUri().toURL());
        }
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        try (URLClassLoader old = new URLClassLoader(urls.toArray(URL[]::new), ClassLoader.getPlatformClassLoader())) {
            // The old code finds its stores through the class loader of the thread.
            thread.setContextClassLoader(old);
            return drill(old).apply(url, own);
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    @SuppressWarnings("unchecked") // The source declares this type.
    private static BiFunction<String, String, List<String>> drill(ClassLoader old) throws Exception {
        return (BiFunction<String, String, List<String>>) old.loadClass(TableDrill.class.getName())
                .getDeclaredConstructor()
                .newInstance();
    }

    /**
     * Returns all but our own modules, which are folders of classes or, in a build that packages, jars named
     * holdfast-*.
     */
    private static List<Path> thirdParty() {
        return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
                .map(Path::of)
                .filter(Files::isRegularFile)
                .filter(jar -> !jar.getFileName().toString().startsWith("holdfast-"))
                .toList();
    }

    private void compileDrill(List<Path> classPath) {
        String jars = String.join(
                File.pathSeparator, classPath.stream().map(Path::toString).toList());
        int code = ToolProvider.getSystemJavaCompiler()
                .run(null, null, null, "-proc:none", "-d", folder.toString(), "-cp", jars, DRILL.toString());
        assertThat(code).as("the drill compiles against the old code").isZero();
    }
}
