package dev.kelvin;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import com.tngtech.archunit.library.GeneralCodingRules;
import dev.kelvin.model.KeyDomain;
import dev.kelvin.part.InvalidInputException;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Who may import whom, as docs/architecture.md has it. */
class ArchitectureTest {
    private static final String ROOT = "dev.kelvin";

    /** Both modules' classes: core's are on the class path of the tests. */
    private static final JavaClasses ALL = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages(ROOT);

    /** Each package of the library may import those before it. */
    private static final List<String> CORE = List.of(
            "part",
            "io",
            "tensor",
            "tensor.file",
            "distributed",
            "math",
            "nn",
            "nn.conv",
            "optim",
            "energy",
            "energy.analytic",
            "sample",
            "sample.chain",
            "sample.warmup",
            "sample.anneal",
            "sample.posterior",
            "negative",
            "objective",
            "train",
            "train.checkpoint",
            "train.loop",
            "train.latent",
            "model",
            "model.condition",
            "training",
            "parts");

    /** And then the application's. */
    private static final List<String> APP = List.of(
            "cite",
            "yaml",
            "sets",
            "dataset",
            "recipe",
            "experiment",
            "judge.component",
            "judge",
            "draw",
            "condition",
            "run",
            "sweep",
            "report",
            "panel",
            "pages",
            "cli.terminal",
            "cli.option",
            "cli.ranks",
            "cli");

    private static final List<String> ORDER =
            Stream.concat(CORE.stream(), APP.stream()).toList();

    /**
     * These stand beside the order: on the packages up to energy, not on each other, and below negative; diagnostics below
     * sample. Only data's parts know each other, and diagnostics declare their figures as metrics do.
     */
    private static final Set<String> BESIDE = Set.of(
            "data.toy",
            "data.image",
            "data.format",
            "data.augment",
            "data.table",
            "data.table.file",
            "data.table.scale",
            "metric",
            "metric.image",
            "metric.figure",
            "diagnostic");

    /** Classes that can only be understood together, at most. */
    private static final int LARGEST_CYCLE = 6;

    /** Files in a package, at most. */
    private static final int LARGEST_PACKAGE = 30;

    /** Files in a package of the application's, at most. */
    private static final int LARGEST_ROOM = 26;

    @Test
    void importsGoOneWay() {
        check(classes().should(new ArchCondition<>("import only what stands below") {
            @Override
            public void check(JavaClass owner, ConditionEvents events) {
                owner.getDirectDependenciesFromSelf().stream()
                        .filter(dependency -> isKelvins(dependency.getTargetClass()))
                        .filter(dependency -> !mayImport(place(owner), place(dependency.getTargetClass())))
                        .forEach(dependency ->
                                events.add(SimpleConditionEvent.violated(dependency, dependency.getDescription())));
            }
        }));
    }

    @Test
    void packagesHaveNoCycles() {
        slices().matching("dev.kelvin.(*)..").should().beFreeOfCycles().check(ALL);
    }

    /** Data sets, experiments and judges import neither pictures nor reports. */
    @Test
    void dataAndJudgesKnowNoPictures() {
        check(noClasses()
                .that()
                .resideInAnyPackage(
                        "dev.kelvin.dataset..",
                        "dev.kelvin.recipe..",
                        "dev.kelvin.experiment..",
                        "dev.kelvin.judge..",
                        "dev.kelvin.condition..",
                        "dev.kelvin.run..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("dev.kelvin.report..", "dev.kelvin.panel..", "dev.kelvin.pages.."));
        check(noClasses()
                .that()
                .resideInAnyPackage("dev.kelvin.dataset..", "dev.kelvin.experiment..", "dev.kelvin.judge..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("dev.kelvin.draw.."));
    }

    /** Panels show what judges have measured. */
    @Test
    void panelsComputeNothing() {
        check(noClasses()
                .that()
                .resideInAPackage("dev.kelvin.panel..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "dev.kelvin.recipe..",
                        "dev.kelvin.experiment..",
                        "dev.kelvin.condition..",
                        "dev.kelvin.run.."));
    }

    @Test
    void noCycleOfImportsIsLarge() {
        Set<JavaClass> application = ALL.stream()
                .filter(each -> APP.contains(place(each)))
                .map(ArchitectureTest::outermost)
                .collect(Collectors.toSet());
        Map<JavaClass, Set<JavaClass>> imports = new HashMap<>();
        for (JavaClass each : ALL) {
            each.getDirectDependenciesFromSelf().stream()
                    .map(dependency -> outermost(dependency.getTargetClass()))
                    .filter(application::contains)
                    .forEach(to -> imports.computeIfAbsent(outermost(each), from -> new HashSet<>())
                            .add(to));
        }
        Map<JavaClass, Set<JavaClass>> reached =
                application.stream().collect(Collectors.toMap(each -> each, each -> reached(each, imports)));
        assertThat(application)
                .allSatisfy(each -> assertThat(reached.get(each).stream()
                                .filter(other -> reached.get(other).contains(each))
                                .map(JavaClass::getSimpleName))
                        .as("classes in a cycle of imports with " + each.getSimpleName())
                        .hasSizeLessThanOrEqualTo(LARGEST_CYCLE));
    }

    private static Set<JavaClass> reached(JavaClass from, Map<JavaClass, Set<JavaClass>> imports) {
        Set<JavaClass> reached = new HashSet<>();
        Deque<JavaClass> open = new ArrayDeque<>(List.of(from));
        while (!open.isEmpty()) {
            imports.getOrDefault(open.pop(), Set.of()).stream()
                    .filter(reached::add)
                    .forEach(open::push);
        }
        return reached;
    }

    private static JavaClass outermost(JavaClass each) {
        return each.getEnclosingClass().map(ArchitectureTest::outermost).orElse(each);
    }

    /** Judging, picturing and advising are not the data's, nor the components': these interfaces stay small. */
    @Test
    void dataAndComponentsStaySmall() {
        assertThat(methods("dev.kelvin.dataset.Data")).hasSizeLessThanOrEqualTo(12);
        assertThat(methods("dev.kelvin.experiment.Components")).hasSizeLessThanOrEqualTo(9);
    }

    /** What a loaded model has of its own soon, not its data, counts for nothing. */
    private static List<String> methods(String owner) {
        return ALL.get(owner).getMethods().stream()
                .filter(method -> !method.getModifiers().contains(JavaModifier.STATIC))
                .map(JavaMethod::getName)
                .filter(name -> !Set.of("facts", "opened", "table").contains(name))
                .toList();
    }

    @Test
    void packagesAreRooms() {
        Map<String, Long> files = ALL.stream()
                .filter(each -> each.isTopLevelClass() && !each.getSimpleName().equals("package-info"))
                .collect(Collectors.groupingBy(ArchitectureTest::place, TreeMap::new, Collectors.counting()));
        assertThat(files)
                .allSatisfy((room, count) -> assertThat(count)
                        .as("files in " + room)
                        .isLessThanOrEqualTo(APP.contains(room) ? LARGEST_ROOM : LARGEST_PACKAGE));
    }

    @Test
    void everyPackageHasAPlace() {
        check(classes().should(new ArchCondition<>("be in a package of the order") {
            @Override
            public void check(JavaClass owner, ConditionEvents events) {
                boolean known = ORDER.contains(place(owner)) || BESIDE.contains(place(owner));
                events.add(
                        new SimpleConditionEvent(owner, known, owner.getName() + " is in a package without a place"));
            }
        }));
    }

    @Test
    void onlyTensorsAndRanksKnowLibtorch() {
        check(noClasses()
                .that()
                .resideOutsideOfPackages("dev.kelvin.tensor..", "dev.kelvin.distributed..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("org.bytedeco.."));
    }

    @Test
    void theLibraryNeverPrints() {
        check(noClasses()
                .that(DescribedPredicate.describe("are core's", owner -> !APP.contains(place(owner))))
                .should(GeneralCodingRules.ACCESS_STANDARD_STREAMS));
    }

    @Test
    void randomnessComesFromKeys() {
        check(noClasses()
                .should()
                .dependOnClassesThat()
                .belongToAnyOf(Random.class, SplittableRandom.class, ThreadLocalRandom.class)
                .orShould()
                .callMethod(Math.class, "random")
                .orShould()
                .callMethod(StrictMath.class, "random")
                .orShould()
                .callMethod(Collections.class, "shuffle", List.class));
    }

    /** Two classes that draw by one key draw the same numbers. */
    @Test
    void eachPurposeOfKeysHasOneOwner() {
        Map<String, Set<String>> owners = new TreeMap<>();
        ALL.stream()
                .flatMap(each -> each.getFieldAccessesFromSelf().stream())
                .filter(access -> access.getTargetOwner().isEquivalentTo(KeyDomain.class))
                .filter(access -> !access.getOriginOwner().isEquivalentTo(KeyDomain.class))
                .forEach(access -> owners.computeIfAbsent(access.getTarget().getName(), name -> new HashSet<>())
                        .add(outermost(access.getOriginOwner()).getName()));
        assertThat(owners.keySet())
                .containsExactlyInAnyOrder(
                        Stream.of(KeyDomain.values()).map(KeyDomain::name).toArray(String[]::new));
        assertThat(owners)
                .allSatisfy((purpose, its) -> assertThat(its).as(purpose).hasSize(1));
    }

    @Test
    void nativeMemoryIsNotTheCollectors() {
        check(noClasses().should().callMethod(System.class, "gc").orShould().callMethod(Runtime.class, "gc"));
    }

    @Test
    void kernelsDoNotReadTheClock() {
        check(noClasses()
                .that()
                .resideInAPackage("dev.kelvin.sample..")
                .should()
                .callMethod(System.class, "nanoTime")
                .orShould()
                .callMethod(System.class, "currentTimeMillis")
                .orShould()
                .dependOnClassesThat()
                .resideInAnyPackage("java.time..", "java.nio.file..", "org.slf4j.."));
    }

    @Test
    void classesAreFinalOrAbstract() {
        check(classes()
                .that()
                .areNotInterfaces()
                .and()
                .areNotAnonymousClasses()
                .and()
                .areNotEnums()
                .and()
                .doNotHaveFullyQualifiedName(InvalidInputException.class.getName()) // of which there are kinds
                .should()
                .haveModifier(JavaModifier.FINAL)
                .orShould()
                .haveModifier(JavaModifier.ABSTRACT));
    }

    @Test
    void everyPackageSaysWhatItIs() {
        assertThat(ALL.stream().map(JavaClass::getPackage).distinct())
                .hasSameSizeAs(Stream.concat(ORDER.stream(), BESIDE.stream()).toList())
                .allMatch(each -> each.tryGetPackageInfo().isPresent());
    }

    /** So that a word means one thing, whatever the package. */
    @Test
    void namesAreOnlyOnce() {
        Map<String, List<String>> byName = ALL.stream()
                .filter(each -> each.isTopLevelClass() && !each.getSimpleName().equals("package-info"))
                .collect(Collectors.groupingBy(
                        JavaClass::getSimpleName,
                        TreeMap::new,
                        Collectors.mapping(JavaClass::getName, Collectors.toList())));
        assertThat(byName.values()).allSatisfy(same -> assertThat(same).hasSize(1));
    }

    private static void check(ArchRule rule) {
        rule.check(ALL);
    }

    private static boolean isKelvins(JavaClass target) {
        String name = target.getPackageName();
        return name.equals(ROOT) || name.startsWith(ROOT + ".");
    }

    /** The package without {@code dev.kelvin}. */
    private static String place(JavaClass owner) {
        String name = owner.getPackageName();
        return name.equals(ROOT) ? "" : name.substring(ROOT.length() + 1);
    }

    private static boolean mayImport(String from, String to) {
        if (from.equals(to)) {
            return true;
        }
        if (BESIDE.contains(from)) {
            boolean data = from.startsWith("data.") && to.startsWith("data.");
            boolean figures = !from.equals("metric.figure") && to.startsWith("metric");
            boolean below = ORDER.contains(to) && ORDER.indexOf(to) <= ORDER.indexOf("energy.analytic");
            return data || figures || below;
        }
        if (to.equals("diagnostic")) { // a trace tells its own diagnostics
            return ORDER.indexOf(from) >= ORDER.indexOf("sample");
        }
        return BESIDE.contains(to)
                ? ORDER.indexOf(from) >= ORDER.indexOf("negative")
                : ORDER.indexOf(to) < ORDER.indexOf(from);
    }
}
