import { setTimeout as delay } from 'node:timers/promises';
import { DAY_MS } from '@rubrica/contracts/shared/durations';
import type { Logger } from '@rubrica/process/log';
import type { AuditAuthorities } from './authorities/audit-authorities.ts';
import type { Issuers } from './issuer.ts';
import type { LiveIssuers } from './open-issuers.ts';

export interface WatchIssuersOptions {
  readonly issuers: Pick<LiveIssuers, 'refresh' | 'renew' | 'endingCrls'>;
  /** Runs before new authorities become effective; if it fails, they wait for the next run. */
  readonly prepare: (next: Issuers) => Promise<void>;
  readonly audit: AuditAuthorities;
  readonly everyMs: number;
  readonly logger: Logger;
}

export interface IssuersWatch {
  start(): void;
  stop(): Promise<void>;
}

/** Keeps the authorities of a running service in step with their folder, and renews their responders. */
export function createIssuersWatch(options: WatchIssuersOptions): IssuersWatch {
  const { issuers, prepare, audit, everyMs, logger } = options;
  const stopping = new AbortController();
  const { signal } = stopping;
  let running: Promise<void> | undefined;

  const refreshOnce = async () => {
    try {
      if (await issuers.renew(audit)) logger.info({}, 'OCSP responder renewed');
    } catch (err) {
      logger.error({ err }, 'OCSP responder renewal failed');
    }
    try {
      if (await issuers.refresh(prepare)) logger.info({}, 'authorities reloaded');
    } catch (err) {
      logger.error({ err }, 'authority reload failed, keeping previous authorities');
    }
  };
  /** Warns of offline roots, once a day: this service cannot sign their CRL, so an operator must know in time. */
  const warnOfCrls = (runs: number) => {
    if (runs % Math.ceil(DAY_MS / everyMs) !== 0) return;
    for (const name of issuers.endingCrls()) {
      logger.error({ reason: `${name}.crl` }, 'CRL of an offline root expires within 30 days');
    }
  };
  const run = async () => {
    for (let runs = 0; !signal.aborted; runs += 1) {
      await refreshOnce();
      warnOfCrls(runs);
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
