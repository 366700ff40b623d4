/**
 * Files: {@link dev.kelvin.io.AtomicFile} replaces one as a whole, {@link dev.kelvin.io.JsonFile} reads JSON and names what is
 * wrong with it.
 */
@NullMarked
package dev.kelvin.io;

import org.jspecify.annotations.NullMarked;
