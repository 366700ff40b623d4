package dev.kelvin.sweep;

import dev.kelvin.model.KeyDomain;
import dev.kelvin.part.Check;
import dev.kelvin.part.Default;
import dev.kelvin.part.SettingException;
import dev.kelvin.tensor.Key;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;

/**
 * What is swept: a recipe, the values that settings take, and seeds; {@code sweep.yaml} in its folder.
 *
 * @param recipe its name or file
 * @param fixed changes that all runs have, such as {@code train.iterations=500}
 * @param set settings with their values, such as {@code negatives.steps=1,5,10}
 * @param seeds each point is trained with each of them
 * @param random how many points are drawn; without it, all combinations are points
 */
public record Sweep(
        String recipe,
        @Default("[]") List<String> fixed,
        @Default("[]") List<String> set,
        List<Long> seeds,
        OptionalInt random) {
    /** More runs than anybody reads, and far fewer than a slip of the pen may ask for. */
    private static final int MOST_RUNS = 10_000;

    /** Draws for each point that is wanted, before the search for different ones is given up. */
    private static final int PATIENCE = 1000;

    public Sweep {
        List<String> changes = List.copyOf(fixed);
        List<String> options = List.copyOf(set);
        List<Long> all = List.copyOf(seeds);
        Check.notEmpty("seeds", all);
        Check.require(Set.copyOf(all).size() == all.size(), "seeds", "must be different, found " + all);
        random.ifPresent(n -> Check.atLeast("random", n, 1));
        Check.require(
                changes.stream().noneMatch(change -> change.matches("(?s)\\s*train\\.seed\\s*=.*")),
                "set",
                "train.seed and --seeds both say the seed; leave one of them out");
        List<SweptSetting> settings = settings(options);
        Set<String> known = new HashSet<>();
        settings.forEach(each -> check(each, known, random.isPresent()));
        Check.require(
                random.isEmpty() || settings.stream().anyMatch(SweptSetting::varies),
                "random",
                "takes a setting with several values or a range, such as --set negatives.steps=1..20");
        Check.require(
                runs(settings, all.size(), random) <= MOST_RUNS,
                "set",
                "and --seeds make " + runs(settings, all.size(), random) + " runs, and a sweep has at most " + MOST_RUNS
                        + "; give fewer values, or draw some of the points with --random");
        fixed = changes;
        set = options;
        seeds = all;
    }

    private static void check(SweptSetting setting, Set<String> known, boolean drawn) {
        String path = setting.path();
        Check.require(known.add(path), "set", path + " is there twice; give all its values at once: " + path + "=1,2");
        Check.require(
                !path.equals("train.seed"),
                "set",
                path + " cannot be swept like that; give seeds with --seeds, such as 0..4");
        Check.require(
                drawn || setting.range().isEmpty(),
                "set",
                path + " has a range, from which points are drawn: say how many with --random, or list values: " + path
                        + "=1,2");
    }

    private static List<SweptSetting> settings(List<String> options) {
        List<SweptSetting> settings = new ArrayList<>();
        for (String option : options) {
            try {
                settings.add(SweptSetting.parse(option));
            } catch (IllegalArgumentException e) {
                throw new SettingException("set", option + " " + e.getMessage());
            }
        }
        return settings;
    }

    /** How many runs there would be; the greatest number where they are more. */
    private static long runs(List<SweptSetting> settings, int seeds, OptionalInt random) {
        long points = random.isPresent() ? random.getAsInt() : combinations(settings);
        return points > Long.MAX_VALUE / seeds ? Long.MAX_VALUE : points * seeds;
    }

    /** How many different points there can be. */
    private static long combinations(List<SweptSetting> settings) {
        long product = 1;
        for (SweptSetting each : settings) {
            long count = each.count().orElse(Long.MAX_VALUE);
            product = count > Long.MAX_VALUE / product ? Long.MAX_VALUE : product * count;
        }
        return product;
    }

    /** The paths of the settings in which points differ. */
    public List<String> varied() {
        return settings(set).stream()
                .filter(SweptSetting::varies)
                .map(SweptSetting::path)
                .toList();
    }

    /** The paths of those whose values are drawn from a range. */
    public List<String> drawn() {
        return settings(set).stream()
                .filter(each -> each.range().isPresent())
                .map(SweptSetting::path)
                .toList();
    }

    /** The changes to the recipe at a point, the later after the earlier, as they were asked for. */
    List<String> overrides(SweepPoint point) {
        List<String> overrides = new ArrayList<>(fixed);
        settings(set)
                .forEach(each -> overrides.add(each.path() + "="
                        + point.values().getOrDefault(each.path(), each.values().get(0))));
        return overrides;
    }

    /** The points: the same list whoever asks for it. */
    public List<SweepPoint> points() {
        List<SweptSetting> varied =
                settings(set).stream().filter(SweptSetting::varies).toList();
        List<Map<String, String>> values = random.isPresent() ? drawn(varied, random.getAsInt()) : grid(varied);
        List<SweepPoint> points = new ArrayList<>();
        values.forEach(each -> points.add(new SweepPoint(points.size() + 1, values.size(), each)));
        return points;
    }

    /** All combinations; the last setting changes fastest. */
    private static List<Map<String, String>> grid(List<SweptSetting> settings) {
        List<Map<String, String>> points = List.of(Map.of());
        for (SweptSetting setting : settings) {
            List<Map<String, String>> more = new ArrayList<>();
            for (Map<String, String> point : points) {
                for (String value : setting.values()) {
                    Map<String, String> next = new LinkedHashMap<>(point);
                    next.put(setting.path(), value);
                    more.add(next);
                }
            }
            points = more;
        }
        return points;
    }

    /** Different points, by keys of their own, so that every process draws the same. */
    private static List<Map<String, String>> drawn(List<SweptSetting> settings, int count) {
        long most = combinations(settings);
        Check.require(
                count <= most,
                "random",
                count + " is more than the " + most + " points that there are; leave it out to train all of them");
        Set<Map<String, String>> points = new LinkedHashSet<>();
        for (int i = 0; points.size() < count && i / PATIENCE < count; i++) {
            Key key = KeyDomain.SWEEP.key().child(i);
            Map<String, String> point = new LinkedHashMap<>();
            for (SweptSetting setting : settings) {
                point.put(setting.path(), setting.draw(key.child(point.size()).stream()));
            }
            points.add(point);
        }
        Check.require(
                points.size() == count,
                "random",
                count + " is more than the " + points.size()
                        + " points that were found to differ in four digits; give wider ranges or draw fewer");
        return List.copyOf(points);
    }

    /** The seeds that a text such as {@code 0..4} or {@code 1,2,5..7} names. */
    public static List<Long> seeds(String text) {
        List<Long> seeds = new ArrayList<>();
        for (String part : text.split(",", -1)) {
            String[] ends = part.strip().split("\\.\\.", -1);
            OptionalLong low = whole(ends[0]);
            OptionalLong high = whole(ends[ends.length - 1]);
            Check.require(
                    ends.length <= 2 && low.isPresent() && high.isPresent() && low.getAsLong() <= high.getAsLong(),
                    "seeds",
                    "takes whole numbers and ranges such as 0..4 or 1,2,5..7, found '" + text + "'");
            Check.require(
                    high.getAsLong() - low.getAsLong() < MOST_RUNS && seeds.size() < MOST_RUNS,
                    "seeds",
                    "takes at most " + MOST_RUNS + " seeds, found '" + text + "'");
            for (long seed = low.getAsLong(); seed <= high.getAsLong(); seed++) {
                seeds.add(seed);
            }
        }
        return seeds;
    }

    private static OptionalLong whole(String text) {
        String number = text.strip();
        return number.matches("-?[0-9]{1,15}") ? OptionalLong.of(Long.parseLong(number)) : OptionalLong.empty();
    }
}
