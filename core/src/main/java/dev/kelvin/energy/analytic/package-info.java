/** Energies given by a formula: known densities that samplers, estimates and tests are compared with. */
@NullMarked
package dev.kelvin.energy.analytic;

import org.jspecify.annotations.NullMarked;
