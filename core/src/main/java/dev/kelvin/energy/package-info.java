/**
 * Unnormalised log-densities f = −energy: combinators, models with parameters, and analytic targets whose draws, moments
 * and normalisers are known.
 *
 * <p>Read {@link dev.kelvin.energy.LogDensity}, {@link dev.kelvin.energy.EnergyModel} and
 * {@link dev.kelvin.energy.Target} first; {@link dev.kelvin.energy.analytic.TargetFamily} is how a target is named.
 */
@NullMarked
package dev.kelvin.energy;

import org.jspecify.annotations.NullMarked;
