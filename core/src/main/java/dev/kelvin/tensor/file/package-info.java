/** Tensors in files: safetensors, npy, and the mapped {@link dev.kelvin.tensor.file.TensorFile}. */
@NullMarked
package dev.kelvin.tensor.file;

import org.jspecify.annotations.NullMarked;
