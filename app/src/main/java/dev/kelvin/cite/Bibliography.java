package dev.kelvin.cite;

import dev.kelvin.part.Catalogue;
import dev.kelvin.part.InvalidInputException;
import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Works by key, read from BibTeX: entries {@code @type{key, name = {value}, ...}}, values in braces that may be nested. What
 * stands between entries is a comment.
 */
public final class Bibliography {
    /** Where the entries lie in Kelvin's jars and in a user's own. */
    public static final String RESOURCE = "META-INF/kelvin/references.bib";

    private static final Pattern ENTRY = Pattern.compile("(?m)^@(\\w+)\\{([^,\\s]+),");
    private static final Pattern FIELD = Pattern.compile("[\\s,]*(\\w+)\\s*=\\s*\\{");
    private static final Pattern END = Pattern.compile("\\s*,?\\s*\\}");

    private final Map<String, Publication> byKey;

    private Bibliography(Map<String, Publication> byKey) {
        this.byKey = Collections.unmodifiableMap(byKey);
    }

    /** All entries on the class path: Kelvin's, and those of jars with parts of a user's own. */
    public static Bibliography onClassPath() throws IOException {
        Map<String, Publication> all = new LinkedHashMap<>();
        for (URL file : Collections.list(Catalogue.class.getClassLoader().getResources(RESOURCE))) {
            try (InputStream in = file.openStream()) {
                parse(file.toString(), new String(in.readAllBytes(), StandardCharsets.UTF_8))
                        .byKey
                        .forEach(all::putIfAbsent);
            }
        }
        return new Bibliography(all);
    }

    /** The entries of a text; messages call it by its name. */
    public static Bibliography parse(String name, String text) {
        Map<String, Publication> found = new LinkedHashMap<>();
        Matcher entry = ENTRY.matcher(text);
        for (int from = 0; entry.find(from); ) {
            String key = entry.group(2);
            Map<String, String> fields = new LinkedHashMap<>();
            from = fields(name, text, entry.end(), key, fields);
            if (found.put(key, new Publication(entry.group(1), key, fields)) != null) {
                throw new InvalidInputException(name + " has two entries '" + key + "'");
            }
        }
        return new Bibliography(found);
    }

    /** Reads fields up to the entry's closing brace, and returns the place behind it. */
    private static int fields(String name, String text, int from, String key, Map<String, String> fields) {
        int at = from;
        Matcher field = FIELD.matcher(text);
        while (field.region(at, text.length()).lookingAt()) {
            at = closing(text, field.end());
            fields.put(field.group(1), text.substring(field.end(), Math.max(field.end(), at - 1)));
        }
        Matcher end = END.matcher(text).region(at, text.length());
        if (!end.lookingAt()) {
            throw new InvalidInputException(name + ": the entry '" + key
                    + "' takes fields 'name = {value}' with commas between and '}' at its end");
        }
        return end.end();
    }

    /** The place behind the brace that closes a value which begins here. */
    private static int closing(String text, int from) {
        int depth = 1;
        int at = from;
        while (depth > 0 && at < text.length()) {
            depth += text.charAt(at) == '{' ? 1 : text.charAt(at) == '}' ? -1 : 0;
            at++;
        }
        return at;
    }

    /** The works in the order of their files. */
    public List<Publication> all() {
        return List.copyOf(byKey.values());
    }

    /** The work that a part cites. */
    public Publication of(Citations.Citation citation) {
        Publication found = byKey.get(citation.key());
        if (found == null) {
            throw new InvalidInputException(citation.part() + " cites '" + citation.key() + "', and no " + RESOURCE
                    + " on the class path has an entry with that key");
        }
        return found;
    }
}
