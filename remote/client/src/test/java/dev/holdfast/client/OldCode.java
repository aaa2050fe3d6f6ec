package dev.holdfast.client;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.InvocationTargetException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import javax.tools.ToolProvider;

/**
 * The code from before protocol versions existed, loaded from {@code src/test/old-code} beside the current code.
 * Third-party jars come from this test's class path, loaded a second time.
 */
final class OldCode implements AutoCloseable {
    private static final Path JARS = Path.of("src/test/old-code");

    private final URLClassLoader loader;

    /** @param folder for the classes of the drills, compiled against the old code */
    OldCode(Path folder) {
        List<Path> path = new ArrayList<>(oldJars());
        path.addAll(thirdParty());
        compile(folder, path, JARS.resolve("ClientDrill.java"), JARS.resolve("ServerDrill.java"));
        path.add(folder);
        this.loader = new URLClassLoader(
                path.stream().map(OldCode::url).toArray(URL[]::new), ClassLoader.getPlatformClassLoader());
    }

    private static List<Path> oldJars() {
        try (Stream<Path> files = Files.list(JARS)) {
            return files.filter(file -> file.toString().endsWith(".jar")).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** All except our own modules, which are class folders or, in a build that packages, jars named holdfast-*. */
    private static List<Path> thirdParty() {
        return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
                .map(Path::of)
                .filter(Files::isRegularFile)
                .filter(jar -> !jar.getFileName().toString().startsWith("holdfast-"))
                .toList();
    }

    private static void compile(Path folder, List<Path> classPath, Path... sources) {
        List<String> args = new ArrayList<>(List.of("-proc:none", "-d", folder.toString(), "-cp"));
        args.add(String.join(
                File.pathSeparator, classPath.stream().map(Path::toString).toList()));
        Stream.of(sources).map(Path::toString).forEach(args::add);
        int code = ToolProvider.getSystemJavaCompiler().run(null, null, null, args.toArray(String[]::new));
        if (code != 0) {
            throw new IllegalStateException("the drills do not compile against the old code");
        }
    }

    private static URL url(Path path) {
        try {
            return path.toUri().toURL();
        } catch (MalformedURLException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns a new instance of a class of the old code. */
    <T> T create(Class<?> today, Class<T> type) {
        // The old code finds its services through the context class loader of the thread.
        return within(() -> {
            try {
                Class<?> old = loader.loadClass(today.getName());
                return type.cast(old.getDeclaredConstructor().newInstance());
            } catch (InvocationTargetException e) {
                throw new IllegalStateException(e.getCause());
            } catch (ReflectiveOperationException e) {
                throw new IllegalStateException(e);
            }
        });
    }

    /** Runs {@code task} on this thread with the class loader of the old code. */
    <T> T within(java.util.function.Supplier<T> task) {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        thread.setContextClassLoader(loader);
        try {
            return task.get();
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    @Override
    public void close() throws IOException {
        loader.close();
    }
}
