import { uuidv7 } from '@rubrica/process/time';
import { vi } from 'vitest';
import { type CertificateEvent, type EventLog, listenToEvents } from './events.ts';
import { type Generation, generation } from './generation.ts';
import { makeOrder, type OrderOverrides } from './orders.ts';
import { connectPeer, type Peer, serveIntake } from './peers.ts';

/** The running service with those who ask it for something. */
export interface Scene extends AsyncDisposable {
  readonly env: Generation;
  readonly notifier: Peer;
  readonly gateway: Peer;
  readonly log: EventLog;
  /** Metrics of the service, as text. */
  metrics(): Promise<string>;
  /** Orders a certificate and waits for the end of the attempt. */
  order(overrides?: OrderOverrides, job?: { requestId: string; attempt: number }): Promise<CertificateEvent>;
  liveCertificates(requestId: string): Promise<number>;
  /** Stops intake's answers while `work` runs. */
  withoutIntake(work: () => Promise<void>): Promise<void>;
}

type Overrides = Record<string, string>;

/** @param overrides settings of the service, or what makes them once its surroundings are there */
export async function openScene(
  overrides: Overrides | ((env: Generation) => Promise<Overrides>) = {},
): Promise<Scene> {
  await using stack = new AsyncDisposableStack();
  const env = stack.use(await generation());
  let intake = env.intake;
  stack.defer(() => intake[Symbol.asyncDispose]());
  const notifier = stack.use(await connectPeer('notifier', env.ground));
  const gateway = stack.use(await connectPeer('gateway', env.ground));
  const log = stack.use(listenToEvents(env.intakePeer));
  const service = stack.use(
    await env.start(typeof overrides === 'function' ? await overrides(env) : overrides),
  );
  const owned = stack.move();
  return {
    env,
    notifier,
    gateway,
    log,
    metrics: service.metrics,
    async order(overrides = {}, job = { requestId: uuidv7(), attempt: 1 }) {
      intake.place(makeOrder(job, overrides));
      await intake.publishJob(job);
      const isEnd = ({ attempt }: CertificateEvent) => attempt === job.attempt;
      return vi.waitFor(
        () => {
          const end = log.of(job.requestId).find(isEnd);
          if (end === undefined) throw new Error('the attempt has not ended');
          return end;
        },
        { timeout: 120_000, interval: 10 },
      );
    },
    async liveCertificates(requestId) {
      const [row] = await env.database.query<{ count: string }>(
        'select count(*) from generation.certificate where request_id = $1 and revoked_at is null',
        [requestId],
      );
      return Number(row?.count);
    },
    async withoutIntake(work) {
      await intake[Symbol.asyncDispose]();
      await work();
      intake = await serveIntake(env.intakePeer);
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}
