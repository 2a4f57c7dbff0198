import { linkedPartnerResultSchema } from '@rubrica/contracts/rest/linked-partner';
import { makeReference } from '@rubrica/testkit';
import type { PartnerActor } from './partner-actor.ts';
import { until } from './poll.ts';
import type { Answer } from './rest.ts';

export interface Accepted {
  readonly reference: string;
  readonly requestId: string;
}

/**
 * Keeps requests in flight: as soon as one has its certificate the next is registered. It is a correct client: it
 * repeats calls without an answer or with a 503, and checks after a 409 if the request was its own.
 */
export function keepInFlight(partner: PartnerActor, inFlight: number) {
  const accepted: Accepted[] = [];
  let stopping = false;
  const issued = () =>
    new Set(
      partner
        .allEvents()
        .flatMap(({ type, body }) =>
          type === 'certificate.issued' ? String(body.referenceTransaction) : [],
        ),
    ).size;
  const work = async () => {
    while (!stopping) {
      const one = await registerStubbornly(partner);
      accepted.push(one);
      await until(
        `the certificate of ${one.reference}`,
        () => partner.eventsOf(one.reference).find(({ type }) => type === 'certificate.issued'),
        { deadlineMs: 240_000, everyMs: 200, seen: () => partner.eventsOf(one.reference) },
      );
    }
  };
  const workers = Promise.all(Array.from({ length: inFlight }, work));
  // The waiting test sees the failure when it asks; until then it must not end the process.
  workers.catch(() => undefined);
  return {
    accepted: accepted as readonly Accepted[],
    issued,
    inFlight: () => accepted.length - issued(),
    /** Waits until this number of further certificates has arrived. */
    async advance(certificates: number): Promise<void> {
      const goal = issued() + certificates;
      const arrived = until(`${goal} certificates`, () => (issued() >= goal ? true : undefined), {
        deadlineMs: 180_000,
        seen: issued,
      });
      await Promise.race([arrived, workers.then(() => arrived)]);
    },
    /** Stops registering and waits until every accepted request has its event. */
    async finish(): Promise<void> {
      stopping = true;
      await workers;
    },
  };
}

/** Registers once, with as many attempts as necessary: after no answer, and after a 503. */
export async function registerStubbornly(
  partner: PartnerActor,
  overrides: Readonly<Record<string, unknown>> = {},
): Promise<Accepted> {
  const referenceTransaction = makeReference();
  return until(`registration of ${referenceTransaction}`, async () => {
    const answer = await partner.register({ ...overrides, referenceTransaction }).catch(() => undefined);
    if (answer === undefined || answer.status === 503) return undefined;
    if (answer.status === 409) return ownRequest(partner, referenceTransaction);
    if (answer.status !== 200) throw new Error(`answered ${answer.status}: ${JSON.stringify(answer.body)}`);
    return toAccepted(answer);
  });
}

async function ownRequest(partner: PartnerActor, reference: string): Promise<Accepted | undefined> {
  const view = await partner.view(reference).catch(() => undefined);
  return view && { reference, requestId: view.linkedPartnerRequestId };
}

function toAccepted({ body }: Answer): Accepted {
  const { linkedPartnerRequestId, referenceTransaction } = linkedPartnerResultSchema.parse(body);
  return { requestId: linkedPartnerRequestId, reference: referenceTransaction };
}
