import { setTimeout as delay } from 'node:timers/promises';
import { linkedPartnerResultSchema } from '@rubrica/contracts/rest/linked-partner';
import { makeEvidence } from '@rubrica/testkit';
import type { PartnerActor } from './partner-actor.ts';

/**
 * Size of a file: a large one goes into the store at once, a small one stays in its row until its request has ended.
 */
export type Size = 'small' | 'large';
const inFlight: Readonly<Record<Size, number>> = { small: 6, large: 2 };

export interface UserFacingError {
  readonly size: Size;
  readonly status: number;
  readonly retryAfter: string | null;
  readonly seconds: number;
  readonly reference: string | undefined;
}

async function registerOne(partner: PartnerActor, size: Size, file: object): Promise<UserFacingError> {
  const began = performance.now();
  const answer = await partner.register({ evidences: [file] });
  const { status } = answer;
  return {
    size,
    status,
    retryAfter: answer.headers.get('retry-after'),
    seconds: (performance.now() - began) / 1_000,
    reference: status === 200 ? linkedPartnerResultSchema.parse(answer.body).referenceTransaction : undefined,
  };
}

export interface Fault {
  /** Minimum number of registrations of each size. */
  readonly counts: Readonly<Record<Size, number>>;
  /** Sizes of their files. */
  readonly bytes: Readonly<Record<Size, number>>;
  /** Duration over which the load is spread evenly. */
  readonly seconds: number;
  happen(): Promise<void>;
}

/** Registers during a fault, until it is over. */
export async function registerUnder(
  partner: PartnerActor,
  { counts, bytes, seconds, happen }: Fault,
): Promise<readonly UserFacingError[]> {
  const outcomes: UserFacingError[] = [];
  let isOver = false;
  const wrong = happen().finally(() => {
    isOver = true;
  });
  const work = async (size: Size) => {
    const goal = counts[size];
    const file = makeEvidence(bytes[size]);
    const everyMs = (seconds * 1_000 * inFlight[size]) / goal;
    let nextAt = performance.now();
    while (outcomes.filter((one) => one.size === size).length < goal || !isOver) {
      outcomes.push(await registerOne(partner, size, file));
      nextAt += everyMs;
      await delay(Math.max(0, nextAt - performance.now()));
    }
  };
  const workers = (['small', 'large'] as const).flatMap((size) =>
    Array.from({ length: inFlight[size] }, () => work(size)),
  );
  await Promise.all([wrong, ...workers]);
  return outcomes;
}
