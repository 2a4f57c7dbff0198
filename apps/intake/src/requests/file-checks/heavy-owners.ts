import { MINUTE_MS } from '@rubrica/contracts/shared/durations';

/** Owners whose files have occupied a checker for long. */
export interface HeavyOwners {
  isHeavy(owner: string): boolean;
  /** Runs `work`; its owner is heavy from the moment at which the work has taken too long. */
  watch<Result>(owner: string, work: () => Promise<Result>): Promise<Result>;
}

/** Time after which an owner is heavy. Files of ordinary requests take a tenth of it. */
const longMs = 3_000;
const rememberedMs = 10 * MINUTE_MS;

export function createHeavyOwners(options: { readonly longMs?: number } = {}): HeavyOwners {
  const heavyUntil = new Map<string, number>();
  const isHeavy = (owner: string) => {
    const until = heavyUntil.get(owner);
    if (until !== undefined && until < performance.now()) heavyUntil.delete(owner);
    return heavyUntil.has(owner);
  };
  return {
    isHeavy,
    async watch(owner, work) {
      const markHeavy = () => void heavyUntil.set(owner, performance.now() + rememberedMs);
      const timer = setTimeout(markHeavy, options.longMs ?? longMs);
      try {
        return await work();
      } finally {
        clearTimeout(timer);
      }
    },
  };
}
