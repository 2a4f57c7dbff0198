import { MINUTE_MS } from '@rubrica/contracts/shared/durations';
import type { Clock, Logger } from '@rubrica/process';

/** End of the authority that issues now, as last known; nothing before it was first heard. */
export type IssuerEnd = () => Date | undefined;

export interface IssuerEndDeps {
  readonly issuerEnd: IssuerEnd;
}

/** An authority lives for years and is exchanged by hand. */
const knownForMs = 5 * MINUTE_MS;
const askAgainAfterMs = 5_000;

/**
 * Remembers the answer of `ask` and asks anew, behind the caller's back, when it has grown old: the end is wanted for
 * a warning, for which no registration waits and none fails.
 */
export function createIssuerEnd(deps: {
  ask: () => Promise<Date>;
  clock: Clock;
  logger: Pick<Logger, 'warn'>;
}): IssuerEnd {
  let known: Date | undefined;
  let askAt = Number.NEGATIVE_INFINITY;
  const refresh = async () => {
    askAt = deps.clock().getTime() + askAgainAfterMs;
    try {
      known = await deps.ask();
      askAt = deps.clock().getTime() + knownForMs;
    } catch (err) {
      deps.logger.warn({ err }, 'generation does not say when its authority ends');
    }
  };
  return () => {
    if (deps.clock().getTime() >= askAt) void refresh();
    return known;
  };
}
