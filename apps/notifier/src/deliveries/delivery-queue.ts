import type { Database, RowGuard } from '@rubrica/database';
import type { Clock, Keyring, Logger } from '@rubrica/process';
import type { Peers } from '@rubrica/wiring';
import type { Dialer } from '../dialer/dialer.ts';
import { healthOf } from '../dialer/outcome.ts';
import { createBatcher } from '../send-queue/batcher.ts';
import { type BreakerPolicy, createBreaker } from '../send-queue/breaker.ts';
import type { Schedule } from '../send-queue/retry-schedule.ts';
import { createSendQueue, type Health } from '../send-queue/send-queue.ts';
import type { SlotLimits } from '../send-queue/slots.ts';
import { grantedSecrets, type StatementDeps } from '../signing/read-delivery-statement.ts';
import { createSigningSecrets } from '../signing/signing-secrets.ts';
import { createUnlessStored } from '../store/unless-stored.ts';
import { attempt } from './attempt-delivery.ts';
import {
  type AttemptRecord,
  createDeliveryStore,
  type DeliveryStoreDeps,
  type LeasedDelivery,
} from './delivery.store.ts';
import { createFreshBodies } from './fresh-bodies.ts';
import { createDeliveryInsert, type NewDelivery, type Stored } from './insert-deliveries.ts';
import { rebuildDelivery } from './rebuild-delivery.ts';
import { receiveEvent } from './receive-event.ts';

export interface DeliveryQueueDeps
  extends Pick<DeliveryStoreDeps, 'disableAfterHours' | 'alertsOperator' | 'onDisabled'> {
  readonly database: Pick<Database, 'statement' | 'aheadOfCommit'>;
  readonly keyring: Keyring;
  readonly rows: Pick<RowGuard, 'protect' | 'isIntact' | 'reportFailed'>;
  readonly intake: Pick<Peers<'notifier'>['intake'], 'events.get' | 'events.signing'>;
  readonly generation: Pick<Peers<'notifier'>['generation'], 'bundles.release'>;
  readonly dialer: Pick<Dialer, 'post' | 'budgetMs'>;
  readonly limits: Pick<SlotLimits, 'total' | 'perDestination'>;
  readonly schedule: Schedule;
  readonly deliveryStatements: StatementDeps['deliveryStatements'];
  readonly timeZone: string;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Between two looks for rows that are due; half a second unless a test cannot wait. */
  readonly pollMs?: number;
  onAttempt(record: AttemptRecord): void;
  /** The alarm: intake has not signed that this may be sent. */
  onNotGranted(deliveryId: string, err: Error): void;
}

export interface DeliveryQueue {
  /** The work of one job. @throws AppError when a peer cannot answer */
  receive(job: { eventId: string; traceparent: string | undefined }): Promise<void>;
  nudge(): void;
  start(): void;
  stop(): Promise<void>;
  inHand(): number;
  /** Destinations that do not answer and are left alone, in this copy. */
  resting(): number;
}

const maxInsert = 100;
const maxFreshBytes = 16 * 1024 * 1024;
const usualPollMs = 500;
/** An attempt may ask intake for secrets before the POST. */
const preparingMs = 2_000;
/** For waiting in hand and for the record. */
const leaseMarginMs = 8_000;
/** Rounds of attempts that are held ready, so that no attempt waits for the ledger. */
const roundsInHand = 8;
/** Whose first attempt waits for its turn. */
const eventsKept = 2_000;

/** Above what one receiver's restart costs in a burst, below what a round of attempts to it holds. */
const breakerPolicy: BreakerPolicy = { failures: 10, firstPauseMs: 5_000, longestPauseMs: 120_000 };
const destinationsRemembered = 1_000;

function createHealth(): Health<AttemptRecord> {
  return {
    breaker: createBreaker({
      policy: breakerPolicy,
      nowMs: () => performance.now(),
      max: destinationsRemembered,
    }),
    signOf: ({ outcome }) => healthOf(outcome),
  };
}

/** Everything between a job and the partner's receiver. */
export function createDeliveryQueue(deps: DeliveryQueueDeps): DeliveryQueue {
  const { database, keyring, limits, logger, intake, generation } = deps;
  const attemptMs = deps.dialer.budgetMs + preparingMs;
  const leaseMs = attemptMs + leaseMarginMs;
  const secrets = createSigningSecrets({
    fetch: (eventId) => intake['events.signing']({ eventId }),
    granted: (grant, delivery) => grantedSecrets(grant, delivery, deps),
    open: (sealed, owner) => keyring.openText(sealed, { purpose: 'webhook-secret', owner }),
    nowMs: () => performance.now(),
    maxEvents: eventsKept,
  });
  const attemptDeps = {
    ...deps,
    secrets,
    rebuild: (delivery: LeasedDelivery) => rebuildDelivery(delivery, deps),
  };
  const freshBodies = createFreshBodies({ maxBytes: maxFreshBytes });
  const health = createHealth();
  const queue = createSendQueue<LeasedDelivery, Buffer, AttemptRecord>({
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
    attemptMs,
    leaseMs,
    pollMs: deps.pollMs ?? usualPollMs,
    logger,
    onAttempt: deps.onAttempt,
    health,
  });
  const insert = createBatcher<NewDelivery, Stored>({
    maxItems: maxInsert,
    write: createDeliveryInsert({ database, leaseMs }),
    ended: ({ committed }) => committed,
  });
  const receiveDeps = {
    intake,
    generation,
    keyring,
    rows: deps.rows,
    deliveryStatements: deps.deliveryStatements,
    timeZone: deps.timeZone,
    insert,
    unlessStored: createUnlessStored('delivery', database),
    queue,
    secrets,
    freshBodies,
    onNotGranted: deps.onNotGranted,
  };
  return {
    receive: (job) => receiveEvent(job, receiveDeps),
    nudge: queue.nudge,
    start: queue.start,
    stop: queue.stop,
    inHand: queue.inHand,
    resting: () => health.breaker.restricted().length,
  };
}
