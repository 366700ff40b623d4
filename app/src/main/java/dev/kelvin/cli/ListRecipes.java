package dev.kelvin.cli;

import dev.kelvin.cli.terminal.ExitCode;
import dev.kelvin.part.Words;
import dev.kelvin.recipe.Recipe;
import dev.kelvin.recipe.Recipes;
import java.io.PrintWriter;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import tools.jackson.databind.json.JsonMapper;

/** {@code kelvin recipes}. */
@Command(name = "recipes", description = "Lists the recipes that ship with Kelvin.")
final class ListRecipes extends Verb {
    @Option(names = "--json", description = "print a JSON array")
    private boolean json;

    @Override
    public Integer call() {
        PrintWriter out = out();
        List<Recipe> all = Recipes.all();
        if (json) {
            List<Map<String, String>> facts = all.stream()
                    .map(recipe -> Map.of("name", recipe.name(), "about", recipe.about(), "takes", recipe.takes()))
                    .toList();
            out.println(new JsonMapper().writeValueAsString(facts));
        } else {
            all.forEach(
                    recipe -> out.println(Words.say("%-16s %-7s %s", recipe.name(), recipe.takes(), recipe.about())));
        }
        out.flush();
        return ExitCode.OK;
    }
}
