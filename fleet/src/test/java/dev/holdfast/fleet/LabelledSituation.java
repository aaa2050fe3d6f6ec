package dev.holdfast.fleet;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** A situation with labels, made of lists. */
@SuppressWarnings("ArrayRecordComponent") // it is never compared
public record LabelledSituation(List<TestWorker> workerList, List<TestUnit> unitList, int[] owners)
        implements FleetSituation {
    public record TestWorker(Map<String, String> labels, int capacity) {}

    public record TestUnit(LabelConditions requires, LabelConditions prefers, String group, double weight) {
        public static TestUnit of(String requires, String prefers, String group) {
            return new TestUnit(conditions(requires), conditions(prefers), group, 1);
        }
    }

    private static final Pattern PART = Pattern.compile("(\\w+)=(\\S+)");

    /** Parses text such as {@code zone=a|b disk=ssd}. */
    public static LabelConditions conditions(String text) {
        Map<String, SortedSet<String>> accepted = new TreeMap<>();
        PART.matcher(text)
                .results()
                .forEach(part -> accepted.put(
                        part.group(1),
                        Pattern.compile("\\w+")
                                .matcher(part.group(2))
                                .results()
                                .map(MatchResult::group)
                                .collect(Collectors.toCollection(TreeSet::new))));
        return new LabelConditions(accepted);
    }

    public static TestWorker worker(String labels, int capacity) {
        Map<String, String> parsed = new TreeMap<>();
        PART.matcher(labels).results().forEach(part -> parsed.put(part.group(1), part.group(2)));
        return new TestWorker(parsed, capacity);
    }

    /** Workers in three zones with two kinds of disks, and units with random conditions, groups and owners. */
    static LabelledSituation random(Random random, int mostWorkers, int mostUnits, boolean limited) {
        String[] zones = {"zone=a", "zone=b", "zone=c", ""};
        String[] disks = {" disk=ssd", " disk=hdd", ""};
        String[] conditions = {"", "", "zone=a", "zone=b", "zone=a|b", "disk=ssd", "zone=c disk=ssd"};
        int workers = 1 + random.nextInt(mostWorkers);
        List<TestWorker> workerList = IntStream.range(0, workers)
                .mapToObj(i -> worker(
                        (zones[random.nextInt(4)] + disks[random.nextInt(3)]).strip(),
                        limited && random.nextBoolean() ? random.nextInt(6) : Integer.MAX_VALUE))
                .toList();
        List<TestUnit> unitList = IntStream.range(0, random.nextInt(mostUnits + 1))
                .mapToObj(i -> TestUnit.of(
                        limited ? conditions[random.nextInt(7)] : "",
                        conditions[random.nextInt(7)],
                        "g" + random.nextInt(3)))
                .toList();
        int[] owners = IntStream.range(0, unitList.size())
                .map(i -> random.nextInt(workers + 1) - 1)
                .toArray();
        return new LabelledSituation(workerList, unitList, owners);
    }

    LabelledSituation withOwners(int[] newOwners) {
        return new LabelledSituation(workerList, unitList, newOwners);
    }

    @Override
    public int workers() {
        return workerList.size();
    }

    @Override
    public int units() {
        return unitList.size();
    }

    @Override
    public int capacity(int worker) {
        return workerList.get(worker).capacity();
    }

    @Override
    public double weight(int unit) {
        return unitList.get(unit).weight();
    }

    @Override
    public int owner(int unit) {
        return owners[unit];
    }

    @Override
    public boolean mayHave(int worker, int unit) {
        return requires(unit).areMetBy(labels(worker));
    }

    @Override
    public Map<String, String> labels(int worker) {
        return workerList.get(worker).labels();
    }

    @Override
    public LabelConditions requires(int unit) {
        return unitList.get(unit).requires();
    }

    @Override
    public LabelConditions prefers(int unit) {
        return unitList.get(unit).prefers();
    }

    @Override
    public String group(int unit) {
        return unitList.get(unit).group();
    }

    int[] loads(int[] plan) {
        int[] loads = new int[workers()];
        Arrays.stream(plan).filter(worker -> worker >= 0).forEach(worker -> loads[worker]++);
        return loads;
    }

    String zone(int worker) {
        return labels(worker).getOrDefault("zone", "");
    }

    @Override
    public String toString() {
        return workerList + " " + unitList + " " + Arrays.toString(owners);
    }
}
