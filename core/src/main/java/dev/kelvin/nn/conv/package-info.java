/** Networks of images: {@link dev.kelvin.nn.conv.WideResnet}, {@link dev.kelvin.nn.conv.Igebm}, and the layers that they share. */
@NullMarked
package dev.kelvin.nn.conv;

import org.jspecify.annotations.NullMarked;
