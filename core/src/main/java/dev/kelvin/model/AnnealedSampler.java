package dev.kelvin.model;

import dev.kelvin.energy.JointDensity;
import dev.kelvin.energy.LogDensity;
import dev.kelvin.energy.Timeline;
import dev.kelvin.negative.SampleSource;
import dev.kelvin.part.InvalidInputException;
import dev.kelvin.sample.Kernel;
import dev.kelvin.sample.StepSized;
import dev.kelvin.sample.anneal.AnnealedChainRun;
import dev.kelvin.sample.chain.ChainRun;
import dev.kelvin.sample.warmup.WarmUp;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import java.util.List;
import java.util.OptionalDouble;
import java.util.stream.IntStream;

/**
 * A time-joint model's samples: chains led from the reference to the data, at steps that are found for each density on the
 * way, not those of training, which are for all times together.
 */
record AnnealedSampler(Model model, AnnealingSettings settings, Timeline timeline) implements Sampler {
    private static final int FRAMES = 12;

    @Override
    public Traits traits() {
        return new Traits(true, false, settings.samples(), 1, false);
    }

    @Override
    public int length(int steps) {
        return (timeline.times() - 1) * settings.steps();
    }

    @Override
    public ChainRun draw(SampleRequest request) {
        Key key = request.key();
        return switch (request.from()) {
            case MODEL, FRESH, NEGATIVES, GIVEN ->
                anneal(
                        request.batch().isPresent() ? key.child(request.batch().getAsInt()) : key,
                        request.count(),
                        (i, x) -> {});
            case LONG -> longRun(key, request.start());
            case REFINED ->
                throw new InvalidInputException("only a model whose chains run on f itself can refine samples");
        };
    }

    private SampleSource reference() {
        return SampleSource.gaussian(timeline.mean(), timeline.std(), model.shape(), model.device());
    }

    private ChainRun anneal(Key key, int count, AnnealedChainRun.Observer observer) {
        try (Scope scope = Scope.open()) {
            Key[] keys = key.split(2);
            Tensor start = reference().draw(keys[0], model.chainSettings().wholeSets(count));
            Kernel<?> kernel = model.chainSettings().kernel();
            OptionalDouble best = kernel.traits().bestAcceptance();
            OptionalDouble found =
                    best.isPresent() ? OptionalDouble.of(model.chainSettings().acceptance()) : best;
            ChainRun walk =
                    new Annealing(model, kernel, found, 1, settings.steps()).walk(keys[1], path(), start, observer);
            return walk.with(scope.keep(walk.x().narrow(0, 0, count)));
        }
    }

    /** From annealed samples on, {@value Sampler#LONGER} times as many steps on the data's density as training takes. */
    private ChainRun longRun(Key key, Tensor drawn) {
        try (Scope scope = Scope.open()) {
            Key[] keys = key.split(2);
            LogDensity last = path().get(timeline.times() - 1);
            ChainSettings chains = model.chainSettings();
            Tensor sets = drawn.narrow(0, 0, chains.wholeSetsAmong((int) drawn.size(0)));
            Kernel<?> kernel = chains.inSets(lastKernel(keys[0], last, sets));
            ChainRun walk = ChainRun.inHalves(keys[1], kernel, last, sets, LONGER * Math.max(1, chains.steps()));
            return walk.with(scope.keep(walk.x()));
        }
    }

    private Kernel<?> lastKernel(Key key, LogDensity last, Tensor drawn) {
        ChainSettings chains = model.chainSettings();
        boolean finds = chains.kernel().traits().bestAcceptance().isPresent();
        double noise = timeline.firstSteps()[timeline.times() - 1];
        return StepSized.of(chains.kernel())
                .<Kernel<?>>map(kernel -> kernel.withStepSize(
                        finds ? WarmUp.find(key, kernel, last, drawn, chains.acceptance()) : kernel.stepSize() * noise))
                .orElse(chains.kernel());
    }

    @Override
    public void film(Key key, int count, Frames frames) {
        int last = timeline.times() - 1;
        List<Integer> shown = IntStream.range(1, FRAMES)
                .map(i -> (int) Math.round((double) i * last / (FRAMES - 1)))
                .boxed()
                .toList();
        try (Scope scope = Scope.open()) {
            frames.at("t = 0", reference().draw(key.split(2)[0], count));
            anneal(key, count, (i, x) -> {
                if (shown.contains(i)) {
                    frames.at("t = " + i, x.narrow(0, 0, count));
                }
            });
        }
    }

    private List<LogDensity> path() {
        JointDensity joint = model.joint();
        int times = timeline.times();
        return IntStream.range(0, times)
                .mapToObj(t -> joint.mixture(timeline.mixed(settings.shares(t, times))))
                .toList();
    }
}
