/** Who decides for work that came without a decision; a trace that came with one keeps it, so that none is torn. */
export const samplers = [
  'parentbased_always_on',
  'parentbased_traceidratio',
  'parentbased_always_off',
] as const;

export type Sampling = {
  sampler: (typeof samplers)[number];
  /** Share of traces that `parentbased_traceidratio` keeps, 0 to 1. */
  ratio: number;
};

const shares: Readonly<Record<Sampling['sampler'], (ratio: number) => number>> = {
  parentbased_always_on: () => 1,
  parentbased_traceidratio: (ratio) => ratio,
  parentbased_always_off: () => 0,
};

// One for a process, as OpenTelemetry's own provider is.
let share = 1;

export function setSampling({ sampler, ratio }: Sampling): void {
  share = shares[sampler](ratio);
}

/** By the end of the id, as OpenTelemetry decides by ratio: whoever asks with the same ratio decides the same. */
export function isSampled(traceId: string): boolean {
  if (share === 1) return true;
  return Number.parseInt(traceId.slice(-13), 16) >= (1 - share) * 2 ** 52;
}
