package dev.kelvin.yaml;

import dev.kelvin.part.Words;
import dev.kelvin.yaml.Node.Entry;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Parse;
import org.snakeyaml.engine.v2.events.AliasEvent;
import org.snakeyaml.engine.v2.events.CollectionStartEvent;
import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.events.NodeEvent;
import org.snakeyaml.engine.v2.events.ScalarEvent;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.ParserException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.scanner.StreamReader;

/**
 * Turns YAML text into a tree. Recipes use the plain part of YAML: anchors, aliases, merge keys and tags are refused,
 * with what else is wrong. The tree is built here, from the parser's events, because the library's own composer
 * recurses without a limit and stops at the first duplicate key.
 */
final class TreeReader {
    /** A recipe's deepest setting is at level 6. */
    static final int MAX_DEPTH = 32;

    private static final LoadSettings SETTINGS = LoadSettings.builder().build();

    private final Iterator<Event> events;
    private final Function<Mark, Place> places;
    private final List<Problem> problems;

    private TreeReader(String text, Function<Mark, Place> places, List<Problem> problems) {
        this.events = new Parse(SETTINGS).parseString(text).iterator();
        this.places = places;
        this.problems = problems;
    }

    /** The tree of a whole file; {@link Node.Broken} if it is no YAML. */
    static Node file(String where, String text, List<Problem> problems) {
        Place start = new Place(where, 1, 1);
        Function<Mark, Place> places = mark -> new Place(where, mark.getLine() + 1, mark.getColumn() + 1);
        return read(text, places, start, problems).orElseGet(() -> {
            problems.add(start.problem(
                    "there is nothing in this recipe" + (text.isBlank() ? ", the file is empty" : " but comments")));
            return new Node.Broken(start);
        });
    }

    /** The tree of a value that was given apart from a file: all of it lies at one place. */
    static Node value(String text, Place place, List<Problem> problems) {
        return read(text, mark -> place, place, problems).orElseGet(() -> new Node.Scalar(place, "", true));
    }

    private static Optional<Node> read(String text, Function<Mark, Place> places, Place start, List<Problem> problems) {
        for (int i = 0; i < text.length(); i = text.offsetByCodePoints(i, 1)) {
            int character = text.codePointAt(i);
            if (!StreamReader.isPrintable(character)) {
                Place place = start.line() == 0 ? start : start.after(text.substring(0, i));
                problems.add(place.problem("the character U+%04X may not be in a recipe".formatted(character)));
                return Optional.of(new Node.Broken(place));
            }
        }
        return new TreeReader(text, places, problems).document(start);
    }

    private Optional<Node> document(Place start) {
        try {
            Optional<Node> root = Optional.empty();
            while (events.hasNext()) {
                Event event = events.next();
                if (event.getEventId() == Event.ID.DocumentStart) {
                    if (root.isPresent()) {
                        note(event, "a second document begins here, but a recipe is only one");
                        return root;
                    }
                    root = Optional.of(node(events.next(), 1));
                }
            }
            return root;
        } catch (MarkedYamlEngineException e) {
            Place place = e.getProblemMark().map(places).orElse(start);
            String context = e.getContext() == null ? "" : " (" + Words.oneLine(e.getContext()) + ")";
            problems.add(place.problem("not valid YAML: " + Words.oneLine(e.getProblem()) + context));
            return Optional.of(new Node.Broken(place));
        } catch (YamlEngineException e) { // a %YAML directive with another version
            problems.add(start.problem("not valid YAML 1.2"));
            return Optional.of(new Node.Broken(start));
        }
    }

    private Node node(Event event, int depth) {
        Place place = place(event);
        if (event instanceof AliasEvent) {
            note(event, "recipes have no aliases (*name); write the value out");
            return new Node.Broken(place);
        }
        if (event instanceof NodeEvent node && node.getAnchor().isPresent()) {
            note(event, "recipes have no anchors (&name); leave it out");
        }
        if (event instanceof ScalarEvent scalar) {
            refuse(scalar.getTag(), event);
            return new Node.Scalar(place, scalar.getValue(), scalar.isPlain());
        }
        refuse(((CollectionStartEvent) event).getTag(), event);
        if (depth > MAX_DEPTH) {
            throw new ParserException("nested more than " + MAX_DEPTH + " levels deep", event.getStartMark());
        }
        return event.getEventId() == Event.ID.SequenceStart ? items(place, depth) : mapping(place, depth);
    }

    private Node items(Place place, int depth) {
        List<Node> items = new ArrayList<>();
        for (Event e = events.next(); e.getEventId() != Event.ID.SequenceEnd; e = events.next()) {
            items.add(node(e, depth + 1));
        }
        return new Node.Items(place, items);
    }

    private Node mapping(Place place, int depth) {
        Map<String, Entry> entries = new LinkedHashMap<>();
        for (Event e = events.next(); e.getEventId() != Event.ID.MappingEnd; e = events.next()) {
            Node key = node(e, depth + 1);
            Node value = node(events.next(), depth + 1);
            if (key instanceof Node.Scalar word && !word.isNothing()) {
                Entry first = entries.putIfAbsent(word.text(), new Entry(key.place(), value));
                if (word.plain() && word.text().equals("<<")) {
                    entries.remove("<<");
                    note(e, "recipes have no merge keys (<<); write the settings out");
                } else if (first != null) {
                    Place at = first.key();
                    String where = at.line() == 0 ? "" : ", first at line " + at.line() + ", column " + at.column();
                    note(e, Words.quote(word.text()) + " is given twice" + where);
                }
            } else if (!(key instanceof Node.Broken)) {
                note(e, "a setting's name is a word, found " + ScalarText.describe(key));
            }
        }
        return new Node.Mapping(place, entries);
    }

    private void refuse(Optional<String> tag, Event event) {
        if (tag.isPresent()) {
            note(event, "recipes have no tags (words that begin with '!'); leave it out");
        }
    }

    private void note(Event event, String message) {
        problems.add(place(event).problem(message));
    }

    private Place place(Event event) {
        return event.getStartMark().map(places).orElseThrow();
    }
}
