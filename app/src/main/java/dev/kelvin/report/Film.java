package dev.kelvin.report;

import java.util.List;

/** Pictures in time: a strip of all frames and, where scripts run, a player above it (see {@code report.js}). */
public record Film(String caption, List<Picture> frames) implements Block {
    public Film {
        frames = List.copyOf(frames);
    }

    @Override
    public void write(Html html) {
        html.open("div", "class", "film").element("p", caption, "class", "explain");
        html.open("div", "class", "strip");
        frames.forEach(frame -> frame.write(html));
        html.close("div").close("div");
    }
}
