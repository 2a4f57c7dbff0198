import { MINUTE_MS } from '@rubrica/contracts/shared/durations';
import { parseCertificate } from '@rubrica/pki';
import type { Logger } from '@rubrica/process/log';
import type { Clock } from '@rubrica/process/time';
import type { Peers } from '@rubrica/wiring';

/**
 * Function that returns the last known end of the authority that currently issues; undefined before the first
 * answer.
 */
export type IssuerEnd = () => Date | undefined;

export interface IssuerEndDeps {
  readonly issuerEnd: IssuerEnd;
}

/** Lifetime of an answer. An authority lives for years and is replaced by hand. */
const cacheMs = 5 * MINUTE_MS;
const retryAfterMs = 5_000;

/**
 * Caches the answer of `ask` and refreshes an old one in the background. The end is needed for a warning, for
 * which no registration waits and none fails.
 */
export function createIssuerEnd(deps: {
  ask: () => Promise<Date>;
  clock: Clock;
  logger: Pick<Logger, 'warn'>;
}): IssuerEnd {
  let known: Date | undefined;
  let askAt = Number.NEGATIVE_INFINITY;
  const refresh = async () => {
    askAt = deps.clock().getTime() + retryAfterMs;
    try {
      known = await deps.ask();
      askAt = deps.clock().getTime() + cacheMs;
    } catch (err) {
      deps.logger.warn({ err }, 'end of the issuing authority not received');
    }
  };
  return () => {
    if (deps.clock().getTime() >= askAt) void refresh();
    return known;
  };
}

/** Reads the published certificate of the authority that currently issues. */
export async function fetchIssuerEnd({ generation }: Pick<Peers<'intake'>, 'generation'>): Promise<Date> {
  const { issuing } = await generation['pki.index'](undefined);
  const { content } = await generation['pki.file']({ file: `${issuing}.cer` });
  const certificate = parseCertificate(Buffer.from(content, 'base64'));
  if (!certificate.ok) throw new Error(`${issuing}.cer: ${certificate.error.reason}`);
  return certificate.value.notAfter.date;
}
