/**
 * Figures of images by the features of a network: {@link dev.kelvin.metric.image.FrechetDistance}, {@link
 * dev.kelvin.metric.image.KernelDistance}, {@link dev.kelvin.metric.image.InceptionScore}, {@link
 * dev.kelvin.metric.image.Extrapolation}.
 */
@NullMarked
package dev.kelvin.metric.image;

import org.jspecify.annotations.NullMarked;
