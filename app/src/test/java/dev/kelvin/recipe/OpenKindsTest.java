package dev.kelvin.recipe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kelvin.part.Catalogue;
import dev.kelvin.recipe.PictureParts.Circle;
import dev.kelvin.recipe.PictureParts.Colour;
import dev.kelvin.recipe.PictureParts.Count;
import dev.kelvin.recipe.PictureParts.Dot;
import dev.kelvin.recipe.PictureParts.Group;
import dev.kelvin.recipe.PictureParts.Paint;
import dev.kelvin.recipe.PictureParts.Picture;
import dev.kelvin.recipe.PictureParts.Rectangle;
import dev.kelvin.recipe.PictureParts.Shade;
import dev.kelvin.recipe.PictureParts.Shape;
import dev.kelvin.recipe.PictureParts.Transparent;
import dev.kelvin.recipe.PictureParts.Turned;
import dev.kelvin.yaml.RecipeException;
import dev.kelvin.yaml.RecipeReference;
import dev.kelvin.yaml.RecipeText;
import dev.kelvin.yaml.RecipeWriter;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Choices among registered parts, read, changed, written and documented. */
class OpenKindsTest {
    private static final Circle UNIT = new Circle(1, false, List.of(0.0, 0.0));

    private static Picture read(String text, String... overrides) {
        return RecipeText.of(Picture.class, "the picture", "a.yaml", text).bind(List.of(overrides));
    }

    @ParameterizedTest
    @ValueSource(strings = {"dot", "{dot: }", "{dot: {}}", "'dot'"})
    void readsAPartWithoutSettings(String text) {
        assertThat(read("shape: " + text).shape()).isEqualTo(new Dot());
    }

    @Test
    void readsAPartByTheNameThatItWasGiven() {
        assertThat(read("shape: {box: {width: 2}}").shape()).isEqualTo(new Rectangle(2, OptionalDouble.empty()));
    }

    @Test
    void readsListsAndOptionalsOfAKind() {
        Picture picture = read("""
                shape: {group: {shapes: [dot, {circle: {radius: 1}}]}}
                others: [{circle: {radius: 1}}, dot]
                frame: {box: {width: 2, height: 3}}
                """);
        assertThat(picture.shape()).isEqualTo(new Group(List.of(new Dot(), UNIT)));
        assertThat(picture.others()).containsExactly(UNIT, new Dot());
        assertThat(picture.frame()).contains(new Rectangle(2, OptionalDouble.of(3)));
        assertThat(read("shape: dot").frame()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "shape: {circel: {radius: 1}} | a.yaml:1:9: shape has no 'circel'; did you mean 'circle'? (one of circle, dot, box, group)",
                "shape: {rectangle: {width: 1}} | a.yaml:1:9: shape has no 'rectangle' (one of circle, dot, box, group)",
                "shape: {turned: {inner: dot}} | a.yaml:1:9: shape has no 'turned' (one of circle, dot, box, group)",
                "shape: 3 | a.yaml:1:8: shape has no '3' (one of circle, dot, box, group)",
                "shape: | a.yaml:1:7: shape takes one of circle, dot, box, group, found nothing",
                "shape: [dot] | a.yaml:1:8: shape takes one of circle, dot, box, group, found a list",
                "shape: {dot: true} | a.yaml:1:14: dot takes no settings, found true",
                "shape: {circle: {radius: 0}} | a.yaml:1:26: radius must be above 0, found 0",
                "shape: {circle: {}} | a.yaml:1:17: circle lacks 'radius' (the distance)",
                "shape: {group: {shapes: []}} | a.yaml:1:16: group is refused: a group needs a shape",
                "{shape: dot, others: dot} | a.yaml:1:22: others takes a list, found the text 'dot'",
                "{shape: dot, others: [dott]} | a.yaml:1:23: others.0 has no 'dott'; did you mean 'dot'? (one of circle, dot, box, group)",
                "{shape: dot, ground: rad} | a.yaml:1:22: ground has no 'rad'; did you mean 'red'? (one of red, green, transparent)",
                "{shape: dot, ground: {red: {x: 1}}} | a.yaml:1:28: red takes no settings, found a map",
                "{shape: dot, ground: {red: deep}} | a.yaml:1:28: red takes no settings, found the text 'deep'",
                "{shape: dot, paint: rad} | a.yaml:1:21: paint has no 'rad'; did you mean 'red'? (one of red, green, transparent)",
                "{shape: dot, copies: many} | a.yaml:1:22: copies takes a whole number, found the text 'many'",
                "{shape: dot, copies: 0} | a.yaml:1:22: copies must be at least 1, found 0",
                "{shape: dot, copies: {from: 0}} | a.yaml:1:29: from must be at least 1, found 0",
                "{shape: dot, copies: []} | a.yaml:1:22: copies takes a whole number or settings (from, most, rise), found a list",
                "{shape: dot, copies: {most: 7}} | a.yaml:1:22: copies lacks 'from' (at first)",
            })
    void tellsMistakes(String text, String message) {
        assertThatThrownBy(() -> read(text)).isInstanceOf(RecipeException.class).hasMessage(message);
    }

    @Test
    void tellsSeveralMistakesAtOnce() {
        assertThatThrownBy(() -> read("""
                        shape: {circel: {radius: -1}}
                        others: [{box: {widht: wide}}, {red: *x}]
                        ground: {green: *x}
                        """)).hasMessage("""
                        a.yaml:1:9: shape has no 'circel'; did you mean 'circle'? (one of circle, dot, box, group)
                        a.yaml:1:26: radius must be above 0, found -1
                        a.yaml:2:17: box has no setting 'widht'; did you mean 'width'? (it takes width, height)
                        a.yaml:2:24: width takes a number, found the text 'wide'
                        a.yaml:2:33: others.1 has no 'red' (one of circle, dot, box, group)
                        a.yaml:2:38: recipes have no aliases (*name); write the value out
                        a.yaml:3:17: recipes have no aliases (*name); write the value out""");
    }

    @Test
    void whatIsGivenIsNoSetting() {
        assertThat(read("shape: {circle: {radius: 1}}").shape()).isEqualTo(UNIT);
        assertThatThrownBy(() -> read("shape: {circle: {radius: 1, centre: [1, 2]}}"))
                .hasMessage("a.yaml:1:29: circle has no setting 'centre' (it takes radius, filled)");
        assertThatThrownBy(() -> read("shape: {circle: {radius: 1}}", "shape.circle.centre=[1, 2]"))
                .hasMessage(
                        "--set shape.circle.centre=[1, 2]: circle has no setting 'centre' (it takes radius, filled)");
        assertThatThrownBy(() -> read("shape: {circle: 3}"))
                .hasMessage("a.yaml:1:17: circle takes settings (radius, filled), found the number 3");
        assertThat(RecipeWriter.yaml(read("shape: {circle: {radius: 1}}"))).doesNotContain("centre");
    }

    @Test
    void readsPartsThatAreUsedAsTheyAre() {
        assertThat(read("{shape: dot, ground: green}").ground()).isEqualTo(new Shade("green"));
        assertThat(read("{shape: dot, ground: {green: }}").ground()).isEqualTo(new Shade("green"));
        assertThat(read("shape: dot").ground()).isInstanceOf(Transparent.class);
        assertThat(read("shape: dot")).isEqualTo(read("shape: dot"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"green", "{colour: green}", "{colour: {green: {}}}"})
    void readsTheOnlySettingAsABareWord(String text) {
        assertThat(read("{shape: dot, paint: " + text + "}").paint()).isEqualTo(new Paint(new Shade("green")));
    }

    @Test
    void readsTheSettingThatStandsForAll() {
        Count seven = new Count(7, 100, OptionalDouble.empty());
        assertThat(read("shape: dot").copies().from()).isEqualTo(5);
        assertThat(read("{shape: dot, copies: 7}").copies()).isEqualTo(seven);
        assertThat(read("{shape: dot, copies: {from: 7}}").copies()).isEqualTo(seven);
    }

    @Test
    void changesWhatIsChosen() {
        assertThat(read("shape: {circle: {radius: 1}}", "shape.box.width=2").shape())
                .isEqualTo(new Rectangle(2, OptionalDouble.empty()));
        assertThat(read("shape: {circle: {radius: 1}}", "shape=dot").shape()).isEqualTo(new Dot());
        assertThat(read("{shape: dot, frame: {box: {width: 1}}}", "frame.box.height=2")
                        .frame())
                .contains(new Rectangle(1, OptionalDouble.of(2)));
        assertThat(read("{shape: dot, others: [dot, dot]}", "others.1.circle.radius=1")
                        .others())
                .containsExactly(new Dot(), UNIT);
        assertThat(read("{shape: dot, paint: red}", "paint.colour=green")
                        .paint()
                        .colour())
                .isEqualTo(new Shade("green"));
    }

    @Test
    void keepsTheBareValueBesideAnotherSetting() {
        assertThat(read("{shape: dot, copies: 7}", "copies.most=9").copies())
                .isEqualTo(new Count(7, 9, OptionalDouble.empty()));
        assertThat(read("{shape: dot, copies: {from: 7, most: 9}}", "copies=8").copies())
                .isEqualTo(new Count(8, 100, OptionalDouble.empty()));
    }

    @Test
    void writesEveryDefault() {
        assertThat(RecipeWriter.yaml(read("{shape: {circle: {radius: 1}}, others: [dot, {box: {width: 1}}]}")))
                .isEqualTo("""
                        shape: {circle: {radius: 1, filled: false}}
                        others: [dot, {box: {width: 1}}]
                        paint: red
                        ground: transparent
                        copies: 5
                        """);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "shape: dot",
                "shape: {group: {shapes: [dot, {box: {width: 1, height: 2}}]}}",
                "{shape: {circle: {radius: 1, filled: true}}, frame: dot, ground: green, paint: transparent}",
                "{shape: dot, copies: {from: 3, most: 4}}",
                "{shape: dot, copies: {from: 3, rise: 1.5}}",
            })
    void writesSoThatItReadsBackEqual(String text) {
        Picture picture = read(text);
        String written = RecipeWriter.yaml(picture);
        assertThat(read(written)).as(written).isEqualTo(picture);
    }

    @Test
    void writesAllSettingsWhereOneIsNotItsDefault() {
        assertThat(RecipeWriter.yaml(read("{shape: dot, copies: {from: 3, most: 4}}")))
                .contains("copies: {from: 3, most: 4}\n");
    }

    /** A declared record is not a choice, whatever it implements. */
    @Test
    void writesACaseByWhatWasDeclared() {
        record Dial(Circle face) {}
        assertThat(RecipeWriter.yaml(new Dial(UNIT))).isEqualTo("face: {radius: 1, filled: false}\n");
    }

    @Test
    void refusesToWriteWhatCouldNotBeRead() {
        Picture picture = new Picture(
                new Turned(new Dot()),
                List.of(),
                Optional.empty(),
                new Paint(new Shade("red")),
                new Shade("red"),
                new Count(1, 1, OptionalDouble.empty()));
        assertThatThrownBy(() -> RecipeWriter.yaml(picture))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("it is not registered as a shape");
    }

    @Test
    void documentsRegisteredParts() {
        String open = "(more can be registered, see [a part of your own](how-to.md#a-part-of-your-own))";
        assertThat(RecipeReference.of(Picture.class, "## The picture\n")).isEqualTo("""

                        ## The picture

                        A picture.

                        | setting | takes | default | meaning |
                        |---|---|---|---|
                        | `shape` | [shape](#shape) | required | what it shows |
                        | `others` | a list; each [shape](#shape) | `[]` | what else |
                        | `frame` | [shape](#shape) | nothing | what is around it |
                        | `paint` | [paint](#paint) | `red` | how it is painted |
                        | `ground` | one of red, green, transparent OPEN | `transparent` | the background |
                        | `copies` | [copies](#copies) | `5` | the number of copies |

                        ## shape

                        What it shows: one of circle, dot, box, group OPEN.

                        ### shape: circle

                        All points at a distance.

                        | setting | takes | default | meaning |
                        |---|---|---|---|
                        | `radius` | a number | required | the distance |
                        | `filled` | true or false | `false` | whether the points within belong to it |

                        ### shape: dot

                        A point.
                        It has no settings.

                        ### shape: box

                        Four corners.

                        | setting | takes | default | meaning |
                        |---|---|---|---|
                        | `width` | a number | required | from left to right |
                        | `height` | a number | the width | from top to bottom |

                        ### shape: group

                        Several at once.

                        | setting | takes | default | meaning |
                        |---|---|---|---|
                        | `shapes` | a list; each [shape](#shape) | required | which |

                        ## paint

                        What surfaces look like.

                        | setting | takes | default | meaning |
                        |---|---|---|---|
                        | `colour` | one of red, green, transparent OPEN | required | the colour |

                        ## copies

                        A number that grows.
                        The value of `from` alone may stand for it all.

                        | setting | takes | default | meaning |
                        |---|---|---|---|
                        | `from` | a whole number | required | at first |
                        | `most` | a whole number | `100` | at most |
                        | `rise` | a number | it does not grow | the growth |
                        """.replace("OPEN", open));
    }

    @Test
    void theCatalogueNamesClassesAndInstances() {
        assertThat(Catalogue.ready(Colour.class)).containsOnlyKeys("red", "green", "transparent");
        assertThat(Catalogue.ready(Shape.class)).isEmpty();
        assertThat(Catalogue.of(Shape.class)).containsOnlyKeys("circle", "dot", "box", "group", "turned");
        assertThat(Catalogue.name(Rectangle.class)).isEqualTo("box");
        assertThat(Catalogue.name(new Dot())).isEqualTo("dot");
        assertThat(Catalogue.name(new Shade("blue"))).isEqualTo("blue");
    }
}
