package dev.kelvin.objective;

import dev.kelvin.part.Catalogue;
import dev.kelvin.part.Check;
import dev.kelvin.part.Cites;
import dev.kelvin.part.Default;
import dev.kelvin.part.Doc;
import dev.kelvin.part.Words;
import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.IntStream;

/**
 * Another objective without the negatives of the highest energy: chains that have not arrived, or that went astray, have low f
 * already, and pushing them down further makes f steep where there are no data. Choose it where single chains spoil the loss.
 *
 * <p>Of n negatives, ⌊share · n⌋ of the lowest f are left out, from the penalty on f too; the others' mean is taken over those
 * that are left.
 *
 * <p>Source: the code of Balcerak et al. 2025 ({@code cd_trim_fraction}, .1 on CIFAR-10).
 */
@Doc("another objective that leaves out the negatives with the highest energy, those of the lowest f")
@Cites("balcerak2025")
public record Trimmed(
        @Doc("the fraction of the negatives that is left out, above 0 and below 1") @Default("0.1")
        double share,

        @Doc("the objective on the others") @Default("contrastive")
        Objective by)
        implements Objective {
    public Trimmed {
        Check.all(
                () -> Check.require(
                        share > 0 && share < 1, "share", "must be above 0 and below 1, found " + Words.number(share)),
                () -> Check.require(
                        by == null || (!(by instanceof JointObjective) && by.sampled()),
                        "by",
                        "must be a generative objective, such as contrastive or robust; on classes or times say"
                                + " 'cd-ce: {by: trimmed}'"));
    }

    @Override
    public Loss of(double[] positives, double[] negatives) {
        int[] kept = kept(negatives);
        Loss loss = by.of(
                positives, Arrays.stream(kept).mapToDouble(j -> negatives[j]).toArray());
        double[] down = new double[negatives.length];
        for (int i = 0; i < kept.length; i++) {
            down[kept[i]] = loss.negativeGradient()[i];
        }
        return new Loss(loss.value(), loss.positiveGradient(), down, loss.parts());
    }

    /**
     * The negatives that count, in their order; numbers that are not finite are among them, so that a run that breaks does not
     * hide it.
     */
    private int[] kept(double... negatives) {
        int out = (int) (share * negatives.length);
        return IntStream.range(0, negatives.length)
                .boxed()
                .sorted(Comparator.comparingDouble(
                        j -> Double.isFinite(negatives[j]) ? negatives[j] : Double.POSITIVE_INFINITY))
                .skip(out)
                .mapToInt(Integer::intValue)
                .sorted()
                .toArray();
    }

    @Override
    public double samplingScale() {
        return by.samplingScale();
    }

    @Override
    public boolean weighs() {
        return by.weighs();
    }

    @Override
    public boolean ranks() {
        return true;
    }

    @Override
    public boolean aboutLevel() {
        return by.aboutLevel();
    }

    @Override
    public double l2() {
        return by.l2();
    }

    @Override
    public int fewestPositives() {
        return by.fewestPositives();
    }

    @Override
    public Objective at(Moment now) {
        return new Trimmed(share, by.at(now));
    }

    @Override
    public void requireTemperature(double temperature) {
        Check.part("by." + Catalogue.name(by.getClass()), () -> by.requireTemperature(temperature));
    }

    @Override
    public String words() {
        return by.words() + ", leaving out the " + Words.number(100 * share) + " % of the negatives with the lowest f";
    }
}
