package dev.holdfast.sim.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.holdfast.sim.SimulatedVariant;
import dev.holdfast.sim.Simulation;
import dev.holdfast.sim.Simulation.Outcome;
import dev.holdfast.sim.replay.RunCatalog.CatalogBug;
import dev.holdfast.sim.scenario.SimulationScenario;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReplayPageTest {
    private static final ReplayWindow USUAL = new ReplayWindow(null, null);
    private static final Pattern DATA =
            Pattern.compile("<script type=\"application/json\" id=\"data\">(.*?)</script>", Pattern.DOTALL);

    @Test
    void aPageShowsTheTwoHoldersOfOneKey() throws Exception {
        JsonNode data = data(planted("HOLDER_COUNTS_FROM_THE_REPLY", 5, USUAL));
        JsonNode violation = data.get("violation");
        assertThat(violation.get("invariant").asText()).isEqualTo("1, one holder at a time");
        assertThat(violation.get("keys")).hasSize(1);
        List<JsonNode> clashing =
                matching(data.get("terms"), term -> term.get("clash").asBoolean());
        assertThat(clashing).hasSizeGreaterThan(1);
        assertThat(clashing).allSatisfy(term -> {
            assertThat(term.get("subject")).isEqualTo(violation.get("keys").get(0));
            assertThat(term.get("from").asDouble())
                    .isLessThanOrEqualTo(violation.get("at").asDouble());
            assertThat(term.get("until").asDouble())
                    .isGreaterThan(violation.get("at").asDouble());
        });
        assertThat(clashing.stream().map(term -> term.get("lane").asText()).distinct())
                .hasSizeGreaterThan(1);
    }

    @Test
    void theLastStepIsTheViolation() throws Exception {
        JsonNode data = data(planted("DONE_IS_NOT_FINAL", 135, USUAL));
        JsonNode steps = data.get("steps");
        JsonNode last = steps.get(steps.size() - 1);
        assertThat(last.get("kind").asText()).isEqualTo("violation");
        assertThat(last.get("at")).isEqualTo(data.get("violation").get("at"));
        assertThat(last.get("text").asText()).contains("was done, and was granted again");
        assertThat(matching(steps, step -> step.get("kind").asText().equals("violation")))
                .hasSize(1);
    }

    @Test
    void aLostAnswerAndTheUnknownOutcomeAreOnThePage() throws Exception {
        JsonNode data = data(planted("UNKNOWN_OUTCOME_TAKEN_AS_NO", 111, USUAL));
        assertThat(matching(
                        data.get("messages"),
                        message -> message.get("answerLost").asBoolean()
                                && message.get("label").asText().equals("mark as done")
                                && !message.get("timedOut").isNull()))
                .hasSize(1);
        assertThat(matching(data.get("messages"), message -> message.get("lost").asBoolean()))
                .isNotEmpty();
        assertThat(matching(
                        data.get("faults"),
                        fault -> fault.get("subject").asText().equals("cut off")))
                .isNotEmpty();
    }

    @Test
    void everyLaneArrowAndTermFitsToTheOthers() throws Exception {
        JsonNode data = data(planted("HOLDER_TRUSTS_A_TICKER_THAT_STOPS_IN_SLEEP", 112, USUAL));
        List<String> lanes = new ArrayList<>();
        data.get("lanes").forEach(lane -> lanes.add(lane.asText()));
        assertThat(lanes).startsWith("store").contains("locker-0", "locker-3");
        assertThat(data.get("messages")).isNotEmpty().allSatisfy(message -> {
            assertThat(lanes).contains(message.get("lane").asText());
            if (!message.get("delivered").isNull()) {
                assertThat(message.get("sent").asDouble())
                        .isLessThanOrEqualTo(message.get("arrived").asDouble());
                assertThat(message.get("answered").asDouble())
                        .isLessThanOrEqualTo(message.get("delivered").asDouble());
            }
        });
        assertThat(data.get("terms")).isNotEmpty().allSatisfy(term -> {
            assertThat(lanes).contains(term.get("lane").asText());
            assertThat(term.get("from").asDouble())
                    .isLessThanOrEqualTo(term.get("to").asDouble());
        });
        assertThat(matching(data.get("messages"), message -> message.get("late").asBoolean()))
                .isNotEmpty();
    }

    /** The real code never has two terms of a key at once, so the bars of a page must not overlap either. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 55})
    void theTermsOfTheRealCodeDoNotOverlap(long seed) throws Exception {
        JsonNode data = data(real("LongPause", seed, new ReplayWindow(0L, null)));
        assertThat(data.get("violation").isNull()).isTrue();
        List<JsonNode> terms = matching(data.get("terms"), term -> true);
        assertThat(terms).isNotEmpty();
        for (JsonNode term : terms) {
            assertThat(matching(
                            data.get("terms"),
                            other -> other.get("from").asDouble()
                                            > term.get("from").asDouble()
                                    && other.get("from").asDouble()
                                            < term.get("to").asDouble()))
                    .isEmpty();
        }
    }

    @Test
    void theSameSeedMakesTheSamePage() {
        assertThat(planted("RENEWAL_WITHOUT_A_VERSION_CHECK", 144, USUAL))
                .isEqualTo(planted("RENEWAL_WITHOUT_A_VERSION_CHECK", 144, USUAL));
    }

    @ParameterizedTest
    @ValueSource(strings = {"LongPause", "MarkedTransactions", "BusyClients", "UnsteadyClocks", "FLEET_UNDER_CHAOS"})
    void recordingDoesNotChangeARun(String name) {
        SimulationScenario scenario = RunCatalog.scenario(name);
        Outcome plain = Simulation.run(7, scenario, SimulatedVariant.REAL);
        ReplayRun recorded = ReplayRun.of(new ReplayTitle(name, 7, null), scenario, SimulatedVariant.REAL, USUAL);
        assertThat(recorded.outcome().tally()).hasToString(plain.tally().toString());
        assertThat(recorded.outcome().violation()).isEqualTo(plain.violation());
    }

    @Test
    void aPageHasABoundAndStatesIt() throws Exception {
        JsonNode data = data(real("BusyClients", 1, new ReplayWindow(0L, null)));
        assertThat(data.get("steps")).hasSize(ReplayWindow.STEPS_MAX);
        assertThat(data.get("messages").size()).isLessThanOrEqualTo(ReplayWindow.STEPS_MAX);
        assertThat(data.get("bounds").asText()).contains("at most 4000 steps").contains("did not fit");
        assertThat(data.get("from")).isEqualTo(data.get("steps").get(0).get("at"));
    }

    @Test
    void aPageShowsOnlyTheWantedTime() throws Exception {
        JsonNode data = data(real("LongPause", 1, new ReplayWindow(5_000_000_000L, 8_000_000_000L)));
        assertThat(data.get("steps"))
                .isNotEmpty()
                .allSatisfy(step -> assertThat(step.get("at").asDouble()).isBetween(5000.0, 8000.0));
        assertThatThrownBy(() -> new ReplayWindow(8L, 5L)).hasMessageContaining("expected: after from");
    }

    @Test
    void hostileNamesAreEscaped() throws Exception {
        String hostile = "</script><script>alert('1')</script><!-- @data@ & \"";
        SimulationScenario scenario = RunCatalog.scenario("LongPause");
        String page =
                ReplayPage.of(ReplayRun.of(new ReplayTitle(hostile, 1, null), scenario, SimulatedVariant.REAL, USUAL));
        assertThat(page).doesNotContain("<script>alert").doesNotContain("<!-- @data@");
        assertThat(data(page).get("title").asText()).isEqualTo(hostile + ", seed 1");
        assertThat(new ObjectMapper().readTree(ScriptJson.of(Map.of(hostile, List.of(hostile, 1, true)))))
                .isEqualTo(new ObjectMapper().valueToTree(Map.of(hostile, List.of(hostile, 1, true))));
    }

    @Test
    void aPageNeedsNoOtherFile() {
        String page = planted("DONE_IS_NOT_FINAL", 135, USUAL).replace("http://www.w3.org/2000/svg", "");
        assertThat(page).doesNotContain("http:", "https:", "src=", "<link", "@import");
    }

    @Test
    void everyBugNamesAScenarioOfTheCatalog() {
        assertThat(RunCatalog.bugs())
                .hasSizeGreaterThan(40)
                .allSatisfy(bug ->
                        assertThat(RunCatalog.scenario(bug.scenario()).name()).isEqualTo(bug.scenario()));
        assertThatThrownBy(() -> RunCatalog.bug("NONE")).hasMessageContaining("./holdfast-sim list");
    }

    private static String planted(String name, long seed, ReplayWindow window) {
        CatalogBug bug = RunCatalog.bug(name);
        ReplayTitle title = new ReplayTitle(bug.scenario(), seed, name);
        return ReplayPage.of(ReplayRun.of(title, RunCatalog.scenario(bug.scenario()), bug.variant(), window));
    }

    private static String real(String name, long seed, ReplayWindow window) {
        ReplayTitle title = new ReplayTitle(name, seed, null);
        return ReplayPage.of(ReplayRun.of(title, RunCatalog.scenario(name), SimulatedVariant.REAL, window));
    }

    private static JsonNode data(String page) throws Exception {
        Matcher found = DATA.matcher(page);
        assertThat(found.find()).isTrue();
        return new ObjectMapper().readTree(found.group(1));
    }

    private static List<JsonNode> matching(JsonNode all, Predicate<JsonNode> condition) {
        List<JsonNode> found = new ArrayList<>();
        all.forEach(node -> {
            if (condition.test(node)) {
                found.add(node);
            }
        });
        return found;
    }
}
