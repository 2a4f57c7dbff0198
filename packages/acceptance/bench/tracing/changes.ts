import { mean } from '../statistics.ts';

/** What was seen of each variant within seconds. */
export type Round<Seen> = readonly Seen[];

export interface Change {
  readonly mean: number;
  /** Standard error over the starts; NaN of one start. */
  readonly error: number;
}

/**
 * By which share a figure of one variant differs from the first's: round by round, as the machine's speed changes within
 * minutes, without the quarter at each end; then over the starts, which differ by how V8 comes to compile each stack.
 */
export function changeOf<Seen>(
  starts: readonly (readonly Round<Seen>[])[],
  variant: number,
  figure: (seen: Seen) => number,
): Change {
  const means = starts.map((rounds) => middleMean(rounds.map((round) => shareOf(round, variant, figure))));
  const all = mean(means);
  const squares = means.reduce((sum, one) => sum + (one - all) ** 2, 0);
  return { mean: all, error: Math.sqrt(squares / (means.length - 1) / means.length) };
}

function shareOf<Seen>(round: Round<Seen>, variant: number, figure: (seen: Seen) => number): number {
  const [first, own] = [round[0], round[variant]];
  return first !== undefined && own !== undefined ? figure(own) / figure(first) - 1 : Number.NaN;
}

function middleMean(values: readonly number[]): number {
  const cut = Math.floor(values.length / 4);
  return mean(values.toSorted((a, b) => a - b).slice(cut, values.length - cut));
}

export function percent({ mean: share, error }: Change): string {
  const text = `${share < 0 ? '−' : '+'}${Math.abs(share * 100).toFixed(1)}`;
  return Number.isNaN(error) ? `${text} %` : `${text} ± ${(error * 100).toFixed(1)} %`;
}
