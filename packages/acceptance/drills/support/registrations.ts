import { setTimeout as delay } from 'node:timers/promises';
import type { PartnerActor } from '../../e2e/support/partner-actor.ts';
import { until } from '../../e2e/support/poll.ts';
import { registerStubbornly } from '../../e2e/support/traffic.ts';

export interface Registered {
  readonly reference: string;
  readonly requestId: string;
  /** Time when the partner received the answer: the request was committed before. */
  readonly answeredAt: Date;
  readonly ends: 'GENERATED' | 'ERROR';
}

export interface Load {
  readonly accepted: readonly Registered[];
  /** Waits until this number of further requests has a certificate or an error. */
  advance(ended: number): Promise<void>;
  /** Stops registering; requests in progress continue. */
  stop(): Promise<void>;
}

/** Keeps requests in flight, each with a file in the object store; one in eight must end in an error. */
export function registerWithoutEnd(
  partner: PartnerActor,
  options: { readonly inFlight: number; readonly nameMismatch: string; readonly scan: object },
): Load {
  const accepted: Registered[] = [];
  let stopping = false;
  let begun = 0;
  const endedCount = () => new Set(partner.allEvents().map(({ body }) => body.referenceTransaction)).size;
  const work = async () => {
    while (!stopping) {
      begun += 1;
      const fails = begun % 8 === 0;
      const one = await registerStubbornly(partner, {
        evidences: [options.scan],
        ...(fails ? { identificationNumber: options.nameMismatch } : {}),
      });
      accepted.push({ ...one, answeredAt: new Date(), ends: fails ? 'ERROR' : 'GENERATED' });
      while (!stopping && partner.eventsOf(one.reference).length === 0) await delay(100);
    }
  };
  const workers = Promise.all(Array.from({ length: options.inFlight }, work));
  workers.catch(() => undefined);
  return {
    accepted,
    async advance(ended) {
      const goal = endedCount() + ended;
      const arrived = until(`${goal} ended requests`, () => (endedCount() >= goal ? true : undefined), {
        deadlineMs: 240_000,
        seen: endedCount,
      });
      await Promise.race([arrived, workers.then(() => arrived)]);
    },
    async stop() {
      stopping = true;
      await workers;
    },
  };
}
