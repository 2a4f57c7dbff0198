import type { BusSeals } from '@rubrica/bus';
import { MINUTE_MS } from '@rubrica/contracts/shared/durations';
import type { Keyring } from '@rubrica/process/keyring';
import { metric } from '@rubrica/process/metrics';
import type { ServiceParts } from '@rubrica/process/runner';
import { LRUCache } from 'lru-cache';
import type { NatsSettings } from './bus-connections.ts';

/** Calls without a time check: their answer tells a service that its clock is wrong, and nothing else. */
const timelessCalls: ReadonlySet<string> = new Set(['clock.read']);

/** Log lines per kind of refusal and caller: no more per minute, however many calls are forged. */
const loggedRefusals = { max: 100, ttl: MINUTE_MS };

export interface SealsOptions {
  readonly keyring: Pick<Keyring, 'openCallSeals'>;
  readonly setting: NatsSettings['seals'];
}

/** Opens the seals of calls and answers with the service's keys. A refused call is logged and counted. */
export function openSeals(
  { keyring, setting }: SealsOptions,
  { logger, metrics, clock }: Pick<ServiceParts, 'logger' | 'metrics' | 'clock'>,
): BusSeals {
  if (setting === 'accepted')
    logger.warn({ reason: 'BUS_SEALS=accepted' }, 'unsealed calls, answers and events accepted');
  const refused = metrics.counter(metric('rubrica_bus_calls_refused_total'));
  const logged = new LRUCache<string, true>(loggedRefusals);
  const seals = keyring.openCallSeals({
    nowMs: () => clock.bestKnown().getTime(),
    isTimeless: (path) => timelessCalls.has(path),
  });
  return {
    required: setting === 'required',
    sealCall: seals.sealCall,
    openCall(subject, bytes) {
      const call = seals.openCall(subject, bytes);
      if (call.kind === 'opened') return call;
      const { reason } = call;
      refused.inc({ reason });
      const [, , , caller = ''] = subject.split('.');
      if (logged.get(`${caller} ${reason}`) === undefined) {
        logged.set(`${caller} ${reason}`, true);
        logger.warn({ subject, reason }, 'bus call refused');
      }
      return call;
    },
  };
}
