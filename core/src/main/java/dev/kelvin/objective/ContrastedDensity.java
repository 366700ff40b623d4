package dev.kelvin.objective;

/** What of a table f(x)_k an objective compares at positives and negatives; with one component all are the same. */
public enum ContrastedDensity {
    /** LSE_k f(x)_k: chains run on the marginal. */
    MARGINAL("all components together"),
    /** f(x)_k of pairs (x, k): chains run on the marginal, then k is drawn from p(k|x). */
    PAIR("pairs with their component"),
    /** f(x)_k at a k that is given: chains run on f(·)_k, each on its own k, and the components' constants stay unknown. */
    GIVEN("each component alone");

    private final String words;

    ContrastedDensity(String words) {
        this.words = words;
    }

    /** What is compared, in words. */
    public String words() {
        return words;
    }
}
