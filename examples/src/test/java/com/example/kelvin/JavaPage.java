package com.example.kelvin;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** What {@code docs/java.md} holds: a pom and programs. */
final class JavaPage {
    private static final Pattern PROGRAM = Pattern.compile("(?m)^public final class (\\w+)");

    private JavaPage() {}

    private static List<String> fenced(String language) throws IOException {
        return Pattern.compile("(?ms)^```" + language + "\n(.*?)^```$")
                .matcher(Files.readString(Path.of("..", "docs", "java.md")))
                .results()
                .map((MatchResult result) -> result.group(1))
                .toList();
    }

    /** The one pom. */
    static String pom() throws IOException {
        List<String> found = fenced("xml");
        if (found.size() != 1) {
            throw new AssertionError("docs/java.md has " + found.size() + " poms");
        }
        return found.get(0);
    }

    /** A program and the name of its class. */
    record Program(String name, String text) {}

    /** Those that are whole files, in the page's order. */
    static List<Program> programs() throws IOException {
        return fenced("java").stream()
                .filter(text -> text.startsWith("package "))
                .map(text -> new Program(
                        PROGRAM.matcher(text)
                                .results()
                                .findFirst()
                                .orElseThrow(() -> new AssertionError("no class in " + text))
                                .group(1),
                        text))
                .toList();
    }
}
