package dev.kelvin.recipe;

import dev.kelvin.part.Refusals;
import dev.kelvin.sample.KernelTraits;

/** The cross-checks of what samples that are drawn after training have beside the steps of a chain. */
record SampleRules(Negatives negatives, ModelForm form, Refusals refused) {
    private static final String ROUNDS = "negatives.sampleRounds";
    private static final String DENOISE = "negatives.denoise";

    /** Refuses what breaks a rule. */
    void check() {
        checkRounds(negatives.sampleRounds().orElse(1) > 1);
        checkDenoise(negatives.denoise().isPresent());
    }

    private void checkRounds(boolean several) {
        refused.require(
                !several || !form.annealsChains(),
                ROUNDS,
                "cannot be combined with time, whose chains are annealed through all times");
        refused.require(
                !several
                        || form.annealsChains()
                        || negatives
                                .buffer()
                                .filter(each -> !each.augment().isEmpty())
                                .isPresent(),
                ROUNDS,
                "needs augmentations of images between the rounds: say them in negatives.buffer.augment, or give"
                        + " negatives.sampleSteps alone");
    }

    private void checkDenoise(boolean denoises) {
        refused.require(
                !denoises || !form.annealsChains(),
                DENOISE,
                "cannot be combined with time, whose chains end where there is no noise");
        refused.require(
                !denoises || form.isOfSamples(),
                DENOISE,
                "is about noise of samples, and the chains of a latent model are of latent vectors");
        KernelTraits traits = negatives.kernel().traits();
        refused.require(
                !denoises
                        || (traits.temperature().isPresent()
                                && !traits.temperatureVaries()
                                && !traits.judgedInexactly()),
                DENOISE,
                "needs the temperature T of exp(f/T): " + RecipeRules.withoutTemperature(negatives.kernel()));
    }
}
