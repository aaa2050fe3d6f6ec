package dev.holdfast.cli.serve;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * The browser of the user. The address of a page with a secret is not an argument of the browser, because all users of a machine see
 * the arguments of all processes. The browser opens a file instead, which only its user can read and which leads to the page.
 */
final class BrowserLauncher {
    /** A launcher that cannot work fails at once. */
    private static final long LAUNCH_MILLIS = 1_500;

    private final Map<String, String> environment;
    private final boolean mayOpen;

    BrowserLauncher(Map<String, String> environment, boolean mayOpen) {
        this.environment = environment;
        this.mayOpen = mayOpen;
    }

    /** Opens an address without secrets. Returns false if there is no browser. */
    boolean openAddress(String url) {
        return mayOpen && hasScreen() && start(url);
    }

    /** Opens a page that leads to an address with a secret. Returns false if there is no browser. */
    boolean openPrivately(String url) throws IOException {
        if (!mayOpen || !hasScreen()) {
            return false;
        }
        Path page = Files.createTempFile("holdfast-ui-", ".html"); // Only its owner can read it.
        page.toFile().deleteOnExit();
        Files.writeString(
                page,
                "<!doctype html><meta charset=utf-8><title>Holdfast</title><meta http-equiv=refresh content=\"0; url="
                        + url + "\"><a href=\"" + url + "\">Open the dashboard</a>\n",
                UTF_8);
        return start(page.toUri().toString());
    }

    /** Without a screen, the launchers of Linux start browsers in the terminal, or fail late. */
    private boolean hasScreen() {
        return !system().contains("linux")
                || !environment.getOrDefault("DISPLAY", "").isEmpty()
                || !environment.getOrDefault("WAYLAND_DISPLAY", "").isEmpty();
    }

    private static String system() {
        return System.getProperty("os.name", "").toLowerCase(Locale.ROOT);
    }

    private static List<String> command(String target) {
        String system = system();
        if (system.contains("windows")) {
            return List.of("rundll32", "url.dll,FileProtocolHandler", target);
        }
        return List.of(system.contains("mac") ? "open" : "xdg-open", target);
    }

    private static boolean start(String target) {
        try {
            Process process = new ProcessBuilder(command(target))
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            boolean hasEnded = process.waitFor(LAUNCH_MILLIS, TimeUnit.MILLISECONDS);
            return !hasEnded || process.exitValue() == 0;
        } catch (IOException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
