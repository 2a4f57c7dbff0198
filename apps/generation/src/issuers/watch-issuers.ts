import { setTimeout as delay } from 'node:timers/promises';
import { DAY_MS } from '@rubrica/contracts/shared/durations';
import type { Logger } from '@rubrica/process';
import type { AuditAuthorities } from './authorities/audit-authorities.ts';
import type { Issuers } from './issuer.ts';
import type { LiveIssuers } from './open-issuers.ts';

export interface WatchIssuersOptions {
  readonly issuers: Pick<LiveIssuers, 'refresh' | 'renew' | 'endingCrls'>;
  /** Runs before new authorities count; when it fails, they wait for the next round. */
  readonly prepare: (next: Issuers) => Promise<void>;
  readonly audit: AuditAuthorities;
  readonly everyMs: number;
  readonly logger: Logger;
}

export interface IssuersWatch {
  start(): void;
  stop(): Promise<void>;
}

/** Keeps the authorities of a running service as their folder has them, and their responders alive. */
export function createIssuersWatch(options: WatchIssuersOptions): IssuersWatch {
  const { issuers, prepare, audit, everyMs, logger } = options;
  const stopping = new AbortController();
  const { signal } = stopping;
  let running: Promise<void> | undefined;

  const round = async () => {
    try {
      if (await issuers.renew(audit)) logger.info({}, 'an OCSP responder was renewed');
    } catch (err) {
      logger.error({ err }, 'an OCSP responder could not be renewed');
    }
    try {
      if (await issuers.refresh(prepare)) logger.info({}, 'the authorities have changed');
    } catch (err) {
      logger.error({ err }, 'changed authorities could not be taken up; the old ones stay');
    }
  };
  /** Nobody here can sign it: an operator must know in time, and need not read of it each minute. */
  const tellOfCrls = (rounds: number) => {
    if (rounds % Math.ceil(DAY_MS / everyMs) !== 0) return;
    for (const name of issuers.endingCrls()) {
      logger.error({ reason: `${name}.crl` }, 'the CRL of a root that is elsewhere ends within 30 days');
    }
  };
  const run = async () => {
    for (let rounds = 0; !signal.aborted; rounds += 1) {
      await round();
      tellOfCrls(rounds);
      await delay(everyMs, undefined, { signal }).catch(() => undefined);
    }
  };
  return {
    start() {
      running ??= run();
    },
    async stop() {
      stopping.abort();
      await running;
    },
  };
}
