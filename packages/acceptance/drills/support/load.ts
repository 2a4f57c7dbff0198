import { linkedPartnerResultSchema } from '@rubrica/contracts/rest/linked-partner';
import type { PartnerActor } from '../../e2e/support/partner-actor.ts';

export interface Load {
  /** References of the requests that were answered 200. */
  readonly accepted: readonly string[];
  /** Description of every call with another answer or none. */
  readonly failed: readonly string[];
  calls(): number;
  /** Stops registering and waits until every accepted request has its certificate. */
  finish(): Promise<void>;
}

/** Starts this number of partners: a registration, its status, its certificate, and again. No call is repeated. */
export function startLoad(partner: PartnerActor, workers: number): Load {
  const accepted: string[] = [];
  const failed: string[] = [];
  let calls = 0;
  let stopping = false;

  async function call<T extends { status: number }>(what: string, ask: () => Promise<T>) {
    calls += 1;
    const answer = await ask().catch((error: unknown) => String(error));
    if (typeof answer !== 'string' && answer.status === 200) return answer;
    failed.push(`${what}: ${typeof answer === 'string' ? answer : JSON.stringify(answer).slice(0, 300)}`);
    return undefined;
  }

  async function work(): Promise<void> {
    while (!stopping) {
      const answer = await call('registration', () => partner.register());
      if (answer === undefined) continue;
      const { referenceTransaction } = linkedPartnerResultSchema.parse(answer.body);
      accepted.push(referenceTransaction);
      await call('status', () => partner.status({ referenceTransaction }));
      await partner.hears(referenceTransaction, 'certificate.issued', { deadlineMs: 240_000 });
      await call('status', () => partner.status({ referenceTransaction }));
    }
  }
  const working = Promise.all(Array.from({ length: workers }, work));
  // The drill sees the failure when it waits; until then it must not end the process.
  working.catch(() => undefined);
  return {
    accepted,
    failed,
    calls: () => calls,
    async finish() {
      stopping = true;
      await working;
    },
  };
}
