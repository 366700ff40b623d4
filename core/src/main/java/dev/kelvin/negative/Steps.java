package dev.kelvin.negative;

import dev.kelvin.part.Check;
import dev.kelvin.part.Default;
import dev.kelvin.part.Doc;
import dev.kelvin.part.Shorthand;
import java.util.OptionalInt;

/** How many steps chains take in an iteration: always as many, or growing along a line as training goes on. */
@Doc("the number of steps of each chain; a number alone is constant")
@Shorthand("from")
public record Steps(
        @Doc("the initial number of steps") int from,

        @Doc(value = "the final number of steps", otherwise = "the initial number")
        OptionalInt to,

        @Doc("the iteration at which it starts to grow") @Default("0")
        long after,

        @Doc("the number of iterations over which it grows") @Default("1")
        long over) {
    public Steps {
        Check.all(
                () -> Check.atLeast("from", from, 0),
                () -> to.ifPresent(last -> Check.atLeast("to", last, 0)),
                () -> Check.atLeast("after", after, 0),
                () -> Check.atLeast("over", over, 1));
    }

    /** A constant number. */
    public static Steps of(int steps) {
        return new Steps(steps, OptionalInt.empty(), 0, 1);
    }

    /** At an iteration, counted from 0. */
    public int at(long iteration) {
        double share = Math.min(1, Math.max(0, (iteration - after) / (double) over));
        return (int) Math.round(from + share * (last() - from));
    }

    /** At the end of training, and so of the samples that are judged. */
    public int last() {
        return to.orElse(from);
    }

    /** In words that go before "steps". */
    public String words() {
        return to.isEmpty() ? Integer.toString(from) : from + " and in the end " + last();
    }
}
