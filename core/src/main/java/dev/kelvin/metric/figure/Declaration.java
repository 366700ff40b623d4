package dev.kelvin.metric.figure;

import java.util.List;

/** What declares figures of merit when it is registered: a {@link Figure} itself, or a {@link FigureOfMerit}. */
public interface Declaration {
    /** All that it measures. */
    List<Figure> figures();
}
