import { setTimeout as delay } from 'node:timers/promises';
import { linkedPartnerResultSchema } from '@rubrica/contracts/rest/linked-partner';
import { makeEvidence } from '@rubrica/testkit';
import type { PartnerActor } from './partner-actor.ts';

/** The large one goes into the store at once, the small one lies in its row until its request has ended. */
export type Size = 'small' | 'large';
const inFlight: Readonly<Record<Size, number>> = { small: 6, large: 2 };

export interface Told {
  readonly size: Size;
  readonly status: number;
  readonly retryAfter: string | null;
  readonly seconds: number;
  readonly reference: string | undefined;
}

async function registerOne(partner: PartnerActor, size: Size, file: object): Promise<Told> {
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
  /** How many of each size are registered at least. */
  readonly counts: Readonly<Record<Size, number>>;
  /** Of their files. */
  readonly bytes: Readonly<Record<Size, number>>;
  /** The load is spread over these, so that each moment of it has its share. */
  readonly seconds: number;
  happen(): Promise<void>;
}

/** Registers beside what goes wrong meanwhile; goes on until that is over. */
export async function registerUnder(
  partner: PartnerActor,
  { counts, bytes, seconds, happen }: Fault,
): Promise<readonly Told[]> {
  const told: Told[] = [];
  let isOver = false;
  const wrong = happen().finally(() => {
    isOver = true;
  });
  const work = async (size: Size) => {
    const goal = counts[size];
    const file = makeEvidence(bytes[size]);
    const everyMs = (seconds * 1_000 * inFlight[size]) / goal;
    let nextAt = performance.now();
    while (told.filter((one) => one.size === size).length < goal || !isOver) {
      told.push(await registerOne(partner, size, file));
      nextAt += everyMs;
      await delay(Math.max(0, nextAt - performance.now()));
    }
  };
  const workers = (['small', 'large'] as const).flatMap((size) =>
    Array.from({ length: inFlight[size] }, () => work(size)),
  );
  await Promise.all([wrong, ...workers]);
  return told;
}
