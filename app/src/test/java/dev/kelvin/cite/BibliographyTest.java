package dev.kelvin.cite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BibliographyTest {
    private static final String TEXT = """
            A comment, with an address: someone@example.org

            @article{one2020,
              author = {van One, Ada and Two, Bob B.},
              title = {On {MCMC}: Is it {{Fast}}?},
              journal = {Statistics \\& Data},
              volume = {3},
              number = {4},
              pages = {5--6},
              year = {2020},
              kelvin = {all of it}
            }

            @misc{three, author = {{The Three Authors}}, title = {Software}, note = {version 3} }
            """;

    private static Publication entry(int number) {
        return Bibliography.parse("test.bib", TEXT).all().get(number);
    }

    @Test
    void aReferenceIsOneLine() {
        assertThat(entry(0).text())
                .isEqualTo("Ada van One and Bob B. Two (2020). On MCMC: Is it Fast? Statistics & Data 3(4), 5–6.");
        assertThat(entry(1).text()).isEqualTo("The Three Authors. Software. version 3.");
    }

    @Test
    void peopleNameItByItsAuthorsAndItsYear() {
        assertThat(entry(0).label()).isEqualTo("van One and Two 2020");
        assertThat(entry(1).label()).isEqualTo("The Three Authors");
    }

    /** What is printed can be read again, but for the fields that are Kelvin's own. */
    @Test
    void bibtexIsAsItWasWritten() {
        String printed = entry(0).bibtex();
        Publication again = Bibliography.parse("printed", printed).all().get(0);
        assertThat(again.fields())
                .doesNotContainKey("kelvin")
                .hasSize(entry(0).fields().size() - 1)
                .allSatisfy((name, value) -> assertThat(entry(0).fields()).containsEntry(name, value));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "@misc{x, title = {a}",
                "@misc{x, title = {a",
                "@misc{x, title = a}",
                "@misc{x, title = {a} year}"
            })
    void aBrokenEntryIsNamed(String text) {
        assertThatThrownBy(() -> Bibliography.parse("broken.bib", text))
                .hasMessageContaining("broken.bib: the entry 'x'");
    }

    @Test
    void twoEntriesOfOneKeyAreRefused() {
        assertThatThrownBy(() -> Bibliography.parse("twice.bib", TEXT + TEXT))
                .hasMessageContaining("two entries 'one2020'");
    }
}
