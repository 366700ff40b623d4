package dev.kelvin.model;

import dev.kelvin.energy.EnergyModel;
import dev.kelvin.energy.JointDensity;
import dev.kelvin.energy.LogDensity;
import dev.kelvin.negative.ByteSlots;
import dev.kelvin.negative.ComponentSteps;
import dev.kelvin.negative.ModelChains;
import dev.kelvin.negative.ReplayBuffer;
import dev.kelvin.negative.SampleSource;
import dev.kelvin.negative.Steps;
import dev.kelvin.sample.chain.ChainRun;
import dev.kelvin.tensor.DType;
import dev.kelvin.tensor.Device;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.train.checkpoint.ModelState;
import java.util.List;
import java.util.Optional;

/**
 * Draws samples of a trained model as training drew its own: the chains of the replay buffer moved on, or, where there is
 * none, fresh ones.
 */
record ModelSampler(ChainSettings settings, ModelCard card, EnergyModel model, ModelState state) {
    private static final String ASK = ": ask 'kelvin sample'";

    ModelSampler {
        if (!model.head().hasLogits()) {
            throw new UnsupportedOperationException(
                    "samples of a time-joint model are annealed from the noise to the data as its recipe says" + ASK);
        }
        if (settings.kernel().traits().interacting()) {
            throw new UnsupportedOperationException(
                    "the particles of " + settings.kernel().words()
                            + " push each other, and are drawn in sets as large as" + " training's" + ASK);
        }
        if (settings.buffer() == 0 && settings.start().usesData()) {
            throw new UnsupportedOperationException(
                    "chains start at " + settings.start().words() + ", which are not here" + ASK);
        }
    }

    /** So many samples, [count, ...]; of a model whose chains belong to classes, of each class in turn. */
    Tensor draw(Key key, JointDensity table, int count) {
        if (settings.buffer() > 0 && count > settings.buffer()) {
            throw new IllegalArgumentException("samples come from the " + settings.buffer()
                    + " chains of the replay buffer; ask for so many or fewer, found " + count);
        }
        Key[] keys = key.split(2);
        long[] k = ReplayBuffer.inTurn(count, model.components());
        try (Scope scope = Scope.open();
                ModelChains chains = chains()) {
            Tensor start = chains.buffer()
                    .map(buffer -> buffer.chains(keys[0], 0, k))
                    .orElseGet(() -> chains.start().drawGiven(keys[0], k));
            LogDensity f = settings.byColumn() ? table.given(k) : table.data();
            ChainRun walk = chains.adapted()
                    .map(sizes -> sizes.settled(keys[1], settings.kernel(), f, start, k, settings.steps()))
                    .orElseGet(() -> ChainRun.inHalves(keys[1], settings.kernel(), f, start, settings.steps()));
            return scope.keep(walk.x());
        }
    }

    /** The chains as they were saved. */
    private ModelChains chains() {
        SampleSource nowhere = SampleSource.gaussian(
                List.of(), 0, card.shape(), Device.CPU); // for data, which only a full buffer replaces
        SampleSource start =
                settings.start().usesData() ? nowhere : settings.start().draws(card.shape(), nowhere, Device.CPU);
        ModelChains chains = new ModelChains(
                start,
                settings.kernel(),
                Steps.of(settings.steps()),
                state.slots().filter(slots -> settings.buffer() > 0).map(slots -> buffer(start, slots)),
                settings.adapt()
                        .map(adapt -> new ComponentSteps(adapt, model.head().firstSteps())));
        chains.load(state.negatives());
        return chains;
    }

    private ReplayBuffer buffer(SampleSource start, Tensor slots) {
        ReplayBuffer.Policy policy = new ReplayBuffer.Policy(
                ReplayBuffer.Entry.FIFO,
                false,
                false,
                0,
                slots.dtype() == DType.BYTE
                        ? card.range().map(range -> new ByteSlots(range.low(), range.high()))
                        : Optional.empty(),
                ReplayBuffer.Change.NONE);
        int components = model.components();
        return new ReplayBuffer(
                Key.of(0), start, settings.buffer(), policy, components, settings.byColumn() ? components : 1);
    }
}
