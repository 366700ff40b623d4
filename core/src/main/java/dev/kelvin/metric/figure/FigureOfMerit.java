package dev.kelvin.metric.figure;

import dev.kelvin.part.Catalogue;
import dev.kelvin.part.Kind;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Figures that any model has: a registered one is computed for every evaluated run and shown in its report, in
 * comparisons, in studies and in JSON without further code. The class needs a constructor without arguments.
 */
@Kind("figure of merit")
public interface FigureOfMerit extends Declaration {
    /** The figures that it can compute; registering the class declares them. */
    @Override
    List<Figure> figures();

    /** Their values by name; one that makes no sense for this model is left out. */
    Map<String, Double> of(Key key, Judged judged);

    /**
     * What all registered figures say of a model, each one's in the order in which it declares them. A figure's key depends on
     * its name alone, not on the others.
     */
    static Map<String, Double> all(Key key, Judged judged) {
        Map<String, Double> all = new LinkedHashMap<>();
        for (FigureOfMerit each : Catalogue.instances(FigureOfMerit.class)) {
            Key own = key.child(Catalogue.name(each.getClass()).hashCode());
            try (Scope scope = Scope.open()) {
                // in declared order: that of a Map.of differs from run to run, and files would with it
                Map<String, Double> found = new TreeMap<>(each.of(own, judged));
                Figure.ordered(found.keySet())
                        .forEach(figure -> all.put(figure.name(), found.getOrDefault(figure.name(), Double.NaN)));
            }
        }
        return all;
    }
}
