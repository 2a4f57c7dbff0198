import { createSealer, type Database, type Sealed } from '@rubrica/database';
import type { Clock, Keyring, Logger } from '@rubrica/process';
import { attempt } from './deliver/attempt.ts';
import {
  type AttemptRecord,
  type ClaimedDelivery,
  createDeliveryStore,
  type DeliveryStoreDeps,
} from './deliver/delivery.store.ts';
import { createDialer, type DialerOptions } from './deliver/dialer.ts';
import { callPing, type PingCall, type PingResult } from './deliver/ping.ts';
import { createSigningSecrets } from './deliver/signing-secrets.ts';
import { healthOf } from './deliver/verdict.ts';
import { createBatcher } from './engine/batcher.ts';
import { type BreakerPolicy, createBreaker } from './engine/breaker.ts';
import { createEngine, type Health } from './engine/engine.ts';
import type { Schedule } from './engine/schedule.ts';
import type { SlotLimits } from './engine/slots.ts';
import type { Peers } from './peers.ts';
import { createDeliveryInsert, type NewDelivery, type Stored } from './receive-event/delivery-insert.ts';
import { createFreshBodies } from './receive-event/fresh-bodies.ts';
import { receiveEvent } from './receive-event/receive-event.ts';

export type WebhooksDeps = Pick<DeliveryStoreDeps, 'disableAfterHours' | 'alertsOperator' | 'onDisabled'> & {
  database: Pick<Database, 'statement'>;
  keyring: Keyring;
  peers: Pick<Peers, 'webhookEvent' | 'releaseBundle' | 'partnerSigning'>;
  dialer: Pick<DialerOptions, 'policy' | 'budgetMs' | 'resolve'>;
  limits: Pick<SlotLimits, 'total' | 'perDestination'>;
  schedule: Schedule;
  timeZone: string;
  clock: Clock;
  logger: Logger;
  onAttempt(record: AttemptRecord): void;
};

export type Webhooks = {
  /** The work of one job. @throws AppError when a peer cannot answer */
  receive(job: { eventId: string; traceparent: string | undefined }): Promise<void>;
  /** @throws AppError when a peer cannot answer */
  ping(call: PingCall): Promise<PingResult>;
  nudge(): void;
  start(): void;
  stop(): Promise<void>;
  inHand(): number;
  /** Destinations that do not answer and are left alone, in this copy. */
  resting(): number;
};

const maxResponseBytes = 64 * 1024;
const maxInsert = 100;
const maxFreshBytes = 16 * 1024 * 1024;
const pollMs = 500;
/** An attempt may ask intake for secrets before the POST. */
const preparingMs = 2_000;
/** For waiting in hand and for the record. */
const leaseMarginMs = 8_000;
/** Rounds of attempts that are held ready, so that no attempt waits for the ledger. */
const roundsInHand = 8;
const secretsMaxAgeMs = 60_000;
const partnersRemembered = 1_000;

/** Above what one receiver's restart costs in a burst, below what a round of attempts to it holds. */
const breakerPolicy: BreakerPolicy = { failures: 10, firstPauseMs: 5_000, longestPauseMs: 120_000 };
const destinationsRemembered = 1_000;

const createHealth = (): Health<AttemptRecord> => ({
  breaker: createBreaker({
    policy: breakerPolicy,
    nowMs: () => performance.now(),
    max: destinationsRemembered,
  }),
  signOf: ({ outcome }) => healthOf(outcome),
});

/** Everything between a job and the partner's receiver. */
export function createWebhooks(deps: WebhooksDeps): Webhooks {
  const { database, keyring, limits, logger, peers } = deps;
  const leaseMs = deps.dialer.budgetMs + preparingMs + leaseMarginMs;
  const sealer = createSealer({ keyring, service: 'notifier' });
  const dialer = createDialer({
    ...deps.dialer,
    maxResponseBytes,
    connectionsPerDestination: limits.perDestination,
  });
  const secrets = createSigningSecrets({
    fetch: async (eventId) => (await peers.webhookEvent(eventId)).sealedSecrets,
    open: keyring.openText,
    nowMs: () => performance.now(),
    maxAgeMs: secretsMaxAgeMs,
    maxPartners: partnersRemembered,
  });
  const attemptDeps = { ...deps, dialer, secrets, openBody: (body: Sealed) => sealer.open(body) };
  const freshBodies = createFreshBodies({ maxBytes: maxFreshBytes });
  const health = createHealth();
  const engine = createEngine<ClaimedDelivery, Buffer, AttemptRecord>({
    ledger: createDeliveryStore(deps),
    attempt: (delivery, body) =>
      attempt(
        { delivery, body: body ?? freshBodies.take(delivery.id) },
        { ...attemptDeps, random: Math.random },
      ),
    limits: {
      total: limits.total * roundsInHand,
      perDestination: limits.perDestination,
      inHandPerDestination: limits.perDestination * roundsInHand,
    },
    attemptMs: deps.dialer.budgetMs + preparingMs,
    leaseMs,
    pollMs,
    logger,
    onAttempt: deps.onAttempt,
    health,
  });
  const insert = createBatcher<NewDelivery, Stored>({
    maxItems: maxInsert,
    write: createDeliveryInsert({ database, leaseMs }),
  });
  const receiveDeps = { peers, keyring, sealer, insert, engine, secrets, freshBodies };
  return {
    receive: (job) => receiveEvent(job, receiveDeps),
    ping: (call) => callPing(call, { ...deps, dialer }),
    nudge: engine.nudge,
    start: engine.start,
    async stop() {
      await engine.stop();
      await dialer.close();
    },
    inHand: engine.inHand,
    resting: () => health.breaker.restricted().length,
  };
}
