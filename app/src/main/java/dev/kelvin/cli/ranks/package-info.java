/** The other ranks of a run that is trained on the command line: {@link dev.kelvin.cli.ranks.RankTeam}. */
@NullMarked
package dev.kelvin.cli.ranks;

import org.jspecify.annotations.NullMarked;
