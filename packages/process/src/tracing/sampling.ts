/** Samplers for work without a sampling decision; a trace that has one keeps it, so that none is incomplete. */
export const samplers = [
  'parentbased_always_on',
  'parentbased_traceidratio',
  'parentbased_always_off',
] as const;

export type Sampling = {
  sampler: (typeof samplers)[number];
  /** Share of traces that `parentbased_traceidratio` samples, 0 to 1. */
  ratio: number;
};

const shares: Readonly<Record<Sampling['sampler'], (ratio: number) => number>> = {
  parentbased_always_on: () => 1,
  parentbased_traceidratio: (ratio) => ratio,
  parentbased_always_off: () => 0,
};

// One per process, like OpenTelemetry's own provider.
let share = 1;

export function setSampling({ sampler, ratio }: Sampling): void {
  share = shares[sampler](ratio);
}

/**
 * Decides by the end of the trace id, like OpenTelemetry's ratio: every process with the same ratio decides the same.
 */
export function isSampled(traceId: string): boolean {
  if (share === 1) return true;
  return Number.parseInt(traceId.slice(-13), 16) >= (1 - share) * 2 ** 52;
}
