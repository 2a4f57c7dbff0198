import type { Database } from '@rubrica/database/connection';
import type { RowGuard } from '@rubrica/database/guarded';
import type { Keyring } from '@rubrica/process/keyring';
import type { Logger } from '@rubrica/process/log';
import type { Clock } from '@rubrica/process/time';
import type { Peers } from '@rubrica/wiring';
import type { Dialer } from '../dialer/dialer.ts';
import { toHealth } from '../dialer/outcome.ts';
import { createBatcher } from '../send-queue/batcher.ts';
import { type BreakerPolicy, createBreaker } from '../send-queue/breaker.ts';
import type { Schedule } from '../send-queue/retry-schedule.ts';
import { createSendQueue, type Health } from '../send-queue/send-queue.ts';
import type { SlotLimits } from '../send-queue/slots.ts';
import { createSigningSecrets, type SigningSecretsDeps } from '../signing/signing-secrets.ts';
import { createIsStored } from '../store/gone-records.ts';
import { createFreshBodies } from './content/fresh-bodies.ts';
import { deliverReady, receiveEvent } from './deliver-webhook.ts';
import {
  type AttemptRecord,
  createDeliveryStore,
  type DeliveryStoreDeps,
  type LeasedDelivery,
} from './delivery.store.ts';
import { createDeliveryInsert, type InsertedDelivery, type NewDelivery } from './insert-deliveries.ts';

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
  readonly deliveryStatements: SigningSecretsDeps['deliveryStatements'];
  readonly timeZone: string;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Interval between two checks for due rows; tests shorten the default of half a second. */
  readonly pollMs?: number;
  onAttempt(record: AttemptRecord): void;
  /** Raises the alarm for a delivery that intake has not signed. */
  onNotGranted(deliveryId: string, err: Error): void;
}

export interface DeliveryQueue {
  /**
   * Processes one job.
   * @throws AppError when a peer cannot answer
   */
  receive(job: { eventId: string; traceparent: string | undefined }): Promise<void>;
  nudge(): void;
  start(): void;
  stop(): Promise<void>;
  inHand(): number;
  /** Counts the destinations that do not answer and are paused, in this copy. */
  resting(): number;
}

const maxInsert = 100;
const maxFreshBytes = 16 * 1024 * 1024;
const defaultPollMs = 500;
/** Time for a call to intake before the POST. */
const preparationMs = 2_000;
/** Time for the wait before the attempt and for the record. */
const leaseMarginMs = 8_000;
/** Leased attempts per running attempt, so that none waits for the ledger. */
const leasedPerAttempt = 8;

/** Above the failures of one receiver's restart in a burst, below the number of leased attempts per destination. */
const breakerPolicy: BreakerPolicy = { failures: 10, firstPauseMs: 5_000, longestPauseMs: 120_000 };
const maxDestinations = 1_000;

function createHealth(): Health<AttemptRecord> {
  return {
    breaker: createBreaker({
      policy: breakerPolicy,
      nowMs: () => performance.now(),
      max: maxDestinations,
    }),
    signOf: ({ outcome }) => toHealth(outcome),
  };
}

/** Creates the queue between the jobs and the partners' receivers, and delivers what is ready until it is stopped. */
export function createDeliveryQueue(deps: DeliveryQueueDeps): DeliveryQueue {
  const { database, limits, logger } = deps;
  const attemptMs = deps.dialer.budgetMs + preparationMs;
  const leaseMs = attemptMs + leaseMarginMs;
  const health = createHealth();
  const queue = createSendQueue<LeasedDelivery, Buffer, AttemptRecord>({
    ledger: createDeliveryStore(deps),
    limits: {
      total: limits.total * leasedPerAttempt,
      perDestination: limits.perDestination,
      inHandPerDestination: limits.perDestination * leasedPerAttempt,
    },
    attemptMs,
    leaseMs,
    pollMs: deps.pollMs ?? defaultPollMs,
    logger,
    health,
  });
  const insert = createBatcher<NewDelivery, InsertedDelivery>({
    maxItems: maxInsert,
    write: createDeliveryInsert({ database, leaseMs }),
    ended: ({ committed }) => committed,
  });
  const deliverDeps = {
    ...deps,
    queue,
    insert,
    isStored: createIsStored('delivery', database),
    secrets: createSigningSecrets({ ...deps, nowMs: () => performance.now() }),
    freshBodies: createFreshBodies({ maxBytes: maxFreshBytes }),
    random: Math.random,
  };
  void deliverReady(deliverDeps);
  return {
    receive: (job) => receiveEvent(job, deliverDeps),
    nudge: queue.nudge,
    start: queue.start,
    stop: queue.stop,
    inHand: queue.inHand,
    resting: () => health.breaker.restricted().length,
  };
}
