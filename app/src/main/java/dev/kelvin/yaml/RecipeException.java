package dev.kelvin.yaml;

import dev.kelvin.part.InvalidInputException;
import java.util.List;
import java.util.stream.Collectors;

/** A recipe cannot be used; all that is wrong with it, one line each, sorted by position. */
public final class RecipeException extends InvalidInputException {
    private static final long serialVersionUID = 1L;

    /** A screenful: a file that is no recipe at all may have thousands. */
    private static final int SHOWN = 50;

    private final transient List<Problem> problems;

    /** With all that is wrong. */
    public RecipeException(List<Problem> problems) {
        super(text(problems));
        this.problems = problems.stream().sorted(Problem.BY_POSITION).toList();
    }

    /** All that is wrong, by position. */
    public List<Problem> problems() {
        return problems;
    }

    private static String text(List<Problem> problems) {
        String shown = problems.stream()
                .sorted(Problem.BY_POSITION)
                .limit(SHOWN)
                .map(Problem::toString)
                .collect(Collectors.joining("\n"));
        int more = problems.size() - SHOWN;
        return more > 0 ? shown + "\n... and " + more + " more" : shown;
    }
}
