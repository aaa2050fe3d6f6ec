package dev.holdfast.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.logging.Level;
import org.junit.jupiter.api.Assumptions;
import org.openqa.selenium.By;
import org.openqa.selenium.Dimension;
import org.openqa.selenium.StaleElementReferenceException;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.logging.LogType;
import org.openqa.selenium.logging.LoggingPreferences;

/** A real browser with the dashboard in it. */
final class BrowserPage implements AutoCloseable {
    private static final Path DRIVER = Path.of("/usr/bin/chromedriver");
    private static final Path BROWSER = Path.of("/usr/bin/chromium");
    private static final Duration PATIENCE = Duration.ofSeconds(40);

    private final ChromeDriver driver;

    private BrowserPage(ChromeDriver driver) {
        this.driver = driver;
    }

    /** Opens a browser. Without one, the tests of the calling class are skipped. */
    static BrowserPage open() {
        Assumptions.assumeTrue(
                Files.isExecutable(DRIVER) && Files.isExecutable(BROWSER),
                "no browser; install it with: apt-get install --no-install-recommends chromium chromium-driver");
        ChromeOptions options = new ChromeOptions();
        options.setBinary(BROWSER.toFile());
        options.addArguments(
                "--headless=new",
                "--no-sandbox",
                "--disable-dev-shm-usage",
                "--disable-gpu",
                "--disable-extensions",
                "--no-first-run",
                "--disable-background-networking",
                "--disable-component-update",
                "--window-size=1280,900");
        LoggingPreferences logging = new LoggingPreferences();
        logging.enable(LogType.BROWSER, Level.ALL);
        options.setCapability("goog:loggingPrefs", logging);
        // The path is given, so Selenium looks for no driver on the network.
        ChromeDriverService service = new ChromeDriverService.Builder()
                .usingDriverExecutable(DRIVER.toFile())
                .withLogFile(new File("/dev/null"))
                .build();
        return new BrowserPage(new ChromeDriver(service, options));
    }

    void go(String url) {
        driver.get(url);
    }

    /** Loads the page without the session of the last test. */
    void restart(String url) {
        driver.get(URI.create(url).resolve("/ui/").toString()); // without a code in the address, which works only once
        driver.executeScript("sessionStorage.clear(); localStorage.clear()");
        driver.get("about:blank");
        takeLog();
        driver.get(url);
    }

    void size(int width, int height) {
        driver.manage().window().setSize(new Dimension(width, height));
    }

    /** Everything that a reader of the page sees. */
    String text() {
        return String.valueOf(script("return document.body.innerText"));
    }

    Object script(String code, Object... arguments) {
        return Objects.requireNonNullElse(driver.executeScript(code, arguments), "");
    }

    /** The result of code that calls its last argument with it. */
    Object scriptWithCallback(String code) {
        return Objects.requireNonNullElse(driver.executeAsyncScript(code), "");
    }

    WebElement find(String css) {
        until(() -> !driver.findElements(By.cssSelector(css)).isEmpty(), css);
        return driver.findElement(By.cssSelector(css));
    }

    List<WebElement> all(String css) {
        return driver.findElements(By.cssSelector(css));
    }

    void type(String css, String text) {
        WebElement field = find(css);
        field.clear();
        field.sendKeys(text);
    }

    /** Presses the visible button or link with this text. */
    void press(String text) {
        String path = "//*[self::button or self::a][normalize-space()=\"" + text + "\"]";
        until(() -> driver.findElements(By.xpath(path)).stream().anyMatch(WebElement::isDisplayed), text);
        driver.findElements(By.xpath(path)).stream()
                .filter(WebElement::isDisplayed)
                .findFirst()
                .orElseThrow()
                .click();
    }

    /** Waits until the page shows this text. */
    Duration awaitText(String text) {
        return until(() -> text().contains(text), text);
    }

    void awaitNoText(String text) {
        until(() -> !text().contains(text), "no " + text);
    }

    Duration until(BooleanSupplier condition, String what) {
        long begun = System.nanoTime();
        while (true) {
            try {
                if (condition.getAsBoolean()) {
                    return Duration.ofNanos(System.nanoTime() - begun);
                }
            } catch (StaleElementReferenceException e) {
                // The page was drawn again meanwhile.
            }
            if (System.nanoTime() - begun > PATIENCE.toNanos()) {
                throw new AssertionError(
                        "waited in vain for " + what + "; the page shows: " + text() + "; its log: " + takeLog());
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
        }
    }

    /** Errors in the console, among them violations of the content policy. */
    List<String> takeLog() {
        return driver.manage().logs().get(LogType.BROWSER).getAll().stream()
                .filter(entry -> entry.getLevel().intValue() >= Level.WARNING.intValue())
                .map(entry -> entry.getLevel() + " " + entry.getMessage())
                .toList();
    }

    /** Fails if the page has serious defects for users of a keyboard or a screen reader. */
    void requireAccessible(String screen) {
        script(axe());
        Object found = scriptWithCallback(
                "const done = arguments[0]; axe.run(document, {resultTypes: ['violations']}).then(r => done(r.violations"
                        + ".filter(v => v.impact === 'serious' || v.impact === 'critical')"
                        + ".map(v => v.id + ': ' + v.nodes.map(n => n.html).join(' ; ').slice(0, 400))), e => done(['' + e]))");
        assertThat((List<?>) found).as(screen).isEmpty();
    }

    private static String axe() {
        try (InputStream in = Objects.requireNonNull(BrowserPage.class.getResourceAsStream("/axe.min.js"))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Chooses light or dark, as the system of the user would. */
    void prefer(String colours) {
        driver.executeCdpCommand(
                "Emulation.setEmulatedMedia",
                Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", colours))));
    }

    @Override
    public void close() {
        driver.quit();
    }
}
