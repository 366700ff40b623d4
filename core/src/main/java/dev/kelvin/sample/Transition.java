package dev.kelvin.sample;

/** The next state, and what a person wants to know of the way there. */
public record Transition<S extends ChainState>(S state, StepInfo info) {}
