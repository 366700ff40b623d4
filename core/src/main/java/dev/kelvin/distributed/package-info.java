/**
 * Training on several devices or machines: {@link dev.kelvin.distributed.Shards} cut a step's batch, {@link
 * dev.kelvin.distributed.Ranks} compute them.
 */
@NullMarked
package dev.kelvin.distributed;

import org.jspecify.annotations.NullMarked;
