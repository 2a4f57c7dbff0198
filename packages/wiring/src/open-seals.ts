import type { BusSeals } from '@rubrica/bus';
import { MINUTE_MS } from '@rubrica/contracts/shared/durations';
import { type Keyring, metric, type ServiceParts } from '@rubrica/process';
import { LRUCache } from 'lru-cache';
import type { NatsSettings } from './bus-connections.ts';

/** By its answer a service whose clock is wrong learns of it. It says nothing else. */
const timelessCalls: ReadonlySet<string> = new Set(['clock.read']);

/** Kinds of refusals, of each caller: no more lines in a minute, however many calls are made up. */
const loggedRefusals = { max: 100, ttl: MINUTE_MS };

export interface SealsOptions {
  readonly keyring: Pick<Keyring, 'openCallSeals'>;
  readonly setting: NatsSettings['seals'];
}

/** Seals of calls and answers by the service's keys. A call that is refused is logged and counted. */
export function openSeals(
  { keyring, setting }: SealsOptions,
  { logger, metrics, clock }: Pick<ServiceParts, 'logger' | 'metrics' | 'clock'>,
): BusSeals {
  if (setting === 'accepted')
    logger.warn({ reason: 'BUS_SEALS=accepted' }, 'calls, answers and events are also taken in clear');
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
        logger.warn({ subject, reason }, 'a call on the bus was refused');
      }
      return call;
    },
  };
}
