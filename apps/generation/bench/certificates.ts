import { availableParallelism } from 'node:os';
import { type KeyType, keyTypes } from '@rubrica/contracts/shared/enumerations';
import type { KeyAlgorithm } from '@rubrica/pki';
import { uuidv7 } from '@rubrica/process/time';
import { pollFor } from '@rubrica/testkit';
import { keyAlgorithmByType } from '../src/key-pool/key-pools.ts';
import { makeSubscriberKey } from '../src/key-pool/make-key.ts';
import { type EventLog, listenToEvents } from '../test/support/events.ts';
import { type Generation, generation } from '../test/support/generation.ts';
import { makeOrder } from '../test/support/orders.ts';

const inFlight = 16;

/** Of one algorithm, from one run. */
export interface CertificateRates {
  readonly algorithm: KeyAlgorithm;
  /** Certificates per second, from job to event, with no key made ahead. */
  readonly perSecond: number;
  /** Keys per second that the same cores make when nothing else runs. */
  readonly bareKeys: number;
}

const rounds = 2;

/**
 * Certificates through the service as a process of its own, with a real PostgreSQL and nats-server beside it. Rounds
 * of certificates and of bare keys alternate: whatever else the machine does, and how fast it is, falls on both.
 */
export async function measureCertificates(algorithm: KeyAlgorithm, count: number): Promise<CertificateRates> {
  await using env = await generation();
  await using log = listenToEvents(env.intakePeer);
  await using _service = env.spawn({ KEY_POOL_SIZE: '0', CRASHPOINT_DIR: '' });
  // The first ones meet a service that is still starting, and code that the compiler has not seen.
  const keyType = keyTypes.find((one) => keyAlgorithmByType[one] === algorithm);
  if (keyType === undefined) throw new RangeError(algorithm);
  const at = { env, log, keyType };
  await issue(at, inFlight * 4);
  const each = Math.ceil(count / rounds);
  const seconds = { certificates: 0, keys: 0 };
  for (let round = 0; round < rounds; round += 1) {
    seconds.keys += await makeKeys(algorithm, each);
    seconds.certificates += await issue(at, each);
  }
  const made = rounds * each;
  return { algorithm, perSecond: made / seconds.certificates, bareKeys: made / seconds.keys };
}

/** @returns seconds */
async function makeKeys(algorithm: KeyAlgorithm, count: number): Promise<number> {
  const startedAt = performance.now();
  let left = count;
  const worker = async () => {
    while (left-- > 0) await makeSubscriberKey(algorithm);
  };
  await Promise.all(Array.from({ length: availableParallelism() }, worker));
  return (performance.now() - startedAt) / 1_000;
}

/** @returns seconds */
async function issue(
  { env, log, keyType }: { env: Generation; log: EventLog; keyType: KeyType },
  count: number,
): Promise<number> {
  const startedAt = performance.now();
  const earlier = log.events.length;
  let ordered = 0;
  const order = async () => {
    const job = { requestId: uuidv7(), attempt: 1 };
    env.intake.place(makeOrder(job, { keyType }));
    ordered += 1;
    await env.intake.publishJob(job);
  };
  await pollFor(
    async () => {
      const done = log.events.length - earlier;
      while (ordered < count && ordered - done < inFlight) await order();
      return done >= count;
    },
    { deadlineMs: 300_000, everyMs: 5, what: `${count} certificates` },
  );
  return (performance.now() - startedAt) / 1_000;
}
