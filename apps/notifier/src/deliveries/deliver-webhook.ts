import type * as eventsContract from '@rubrica/contracts/services/schemas/events';
import { crashpoint } from '@rubrica/process/crashpoint';
import { AppError } from '@rubrica/process/errors';
import { KeyringError } from '@rubrica/process/keyring';
import type { Logger } from '@rubrica/process/log';
import { formatLane, toDestination } from '../destinations/destination.ts';
import type { Batcher } from '../send-queue/batcher.ts';
import type { Schedule } from '../send-queue/retry-schedule.ts';
import type { SendQueue } from '../send-queue/send-queue.ts';
import { NotGranted, OtherDestination, type SigningSecrets } from '../signing/signing-secrets.ts';
import { type IsStored, isGone } from '../store/gone-records.ts';
import { type ComposedDelivery, composeDelivery } from './content/compose-delivery.ts';
import type { FreshBodies } from './content/fresh-bodies.ts';
import { type LoadContentDeps, loadContent, type StoredDelivery } from './content/load-content.ts';
import { crashPoints } from './crash-points.ts';
import type { AttemptRecord, LeasedDelivery } from './delivery.store.ts';
import type { InsertedDelivery, NewDelivery } from './insert-deliveries.ts';
import { type PostResult, type PostWebhookDeps, postWebhook } from './post-webhook.ts';
import { judgeDelivery } from './verdict.ts';

export interface DeliverWebhookDeps extends LoadContentDeps, PostWebhookDeps {
  readonly rows: LoadContentDeps['rows'] & { reportFailed(row: { table: string; id: string }): void };
  readonly insert: Pick<Batcher<NewDelivery, InsertedDelivery>, 'add'>;
  readonly isStored: IsStored;
  readonly queue: Omit<SendQueue<LeasedDelivery, Buffer, AttemptRecord>, 'start' | 'stop' | 'inHand'>;
  readonly secrets: SigningSecrets;
  readonly freshBodies: FreshBodies;
  readonly schedule: Schedule;
  readonly clock: () => Date;
  /** Uniform in [0, 1). */
  readonly random: () => number;
  readonly logger: Pick<Logger, 'error' | 'warn'>;
  onAttempt(record: AttemptRecord): void;
  /** Raises the alarm for a delivery that intake has not signed. */
  onNotGranted(deliveryId: string, err: Error): void;
}

/**
 * Turns a job into a delivery. A repeated job stores and sends nothing, even if its event has ended since.
 * @throws AppError when a peer cannot answer, or intake has not signed the answer; the job must then be redelivered
 */
export async function receiveEvent(
  { eventId, traceparent = null }: { eventId: string; traceparent: string | null | undefined },
  deps: DeliverWebhookDeps,
): Promise<void> {
  // 1. Intake says what goes where and grants the first attempt, generation releases the bundle, and the body is built
  // and sealed. After a crash the job is redelivered.
  const prepared = await prepareDelivery(eventId, deps);
  if (prepared === undefined) return;
  const { event, composed } = prepared;
  const { fields, body, hasBundle } = composed;
  crashpoint(crashPoints.deliveryBeforeStore);

  // 2. The row is stored, as leased by this process where the queue has capacity. After a crash the lease ends.
  const destination = toDestination(event.url);
  const lane = { partnerId: event.partnerId, destination: formatLane(event.partnerId, destination) };
  const leased = deps.queue.tryReserve(lane);
  const bundleIssuedAt = hasBundle ? event.occurredAt : null;
  const delivery: NewDelivery = { ...fields, destination, traceparent, bundleIssuedAt, leased };
  let stored: InsertedDelivery | undefined;
  try {
    stored = await deps.insert.add(delivery);
  } finally {
    if (leased && stored?.became !== 'DUE') deps.queue.unreserve(lane);
  }

  // 3. A leased delivery enters its lane while the commit waits for the disk, so that step 4 follows immediately. Any
  // other waits in the ledger. One to a disabled destination is only stored.
  const { became, committed } = stored;
  if (became === 'DUE' && leased)
    deps.queue.enter({ ...delivery, ...lane, roundAttempts: 0, fence: 1, committed }, body);
  // The job ends when its row is durable, not before.
  await committed;
  if (became !== 'DUE' || leased) return;
  deps.freshBodies.keep(delivery.id, body);
  deps.queue.nudge();
}

/**
 * Delivers what is ready, until the queue has stopped: deliveries from step 3, and those that are due in the ledger. The
 * queue wakes up when nudged, when capacity becomes free, and at each poll. It leases what is due, which raises the
 * fence, and yields each delivery when its lane is free.
 */
export async function deliverReady(deps: DeliverWebhookDeps): Promise<void> {
  for await (const { item, known } of deps.queue.ready) void deliver(item, known, deps);
}

async function deliver(
  delivery: LeasedDelivery,
  known: Buffer | undefined,
  deps: DeliverWebhookDeps,
): Promise<void> {
  let record: AttemptRecord | undefined;
  try {
    record = await attemptDelivery(delivery, known ?? deps.freshBodies.take(delivery.id), deps);
    deps.onAttempt(record);
  } catch (err) {
    deps.logger.warn({ err, jobId: delivery.id }, 'attempt lost');
  } finally {
    // 8. The record is written under the fence of the lease, in a batch. The next delivery of the lane starts.
    deps.queue.finish(delivery, record);
  }
}

/** Makes one POST and judges the answer. Time and signature are new for each attempt, id and body never change. */
async function attemptDelivery(
  delivery: LeasedDelivery,
  known: Buffer | undefined,
  deps: DeliverWebhookDeps,
): Promise<AttemptRecord> {
  const { clock, random, schedule } = deps;
  const { id, fence, body } = delivery;
  const startedAt = clock();
  const started = performance.now();
  const sending: Sending =
    body === null ? { kind: 'expired' } : await send({ ...delivery, body }, known, { ...deps, startedAt });
  const durationMs = Math.round(performance.now() - started);
  // The attempt can be recorded only after the commit. If the delivery was not stored, the job is redelivered.
  await delivery.committed;
  const base = { id, fence, startedAt, durationMs };
  if (sending.kind === 'expired') return { ...base, ...payloadExpired };
  if (sending.kind === 'window-closed') return { ...base, ...windowClosed };

  // 7. The answer decides whether and when the next attempt follows.
  const made = delivery.roundAttempts + 1;
  const verdict = judgeDelivery(sending.answer, { schedule, made, random: random(), now: clock() });
  const { outcome, status, error, state } = verdict;
  const retryAfterMs = verdict.state === 'PENDING' ? verdict.retryAfterMs : null;
  const record = { ...base, answer: sending.excerpt, outcome, status, error, state, retryAfterMs };
  if (state !== 'DELIVERED') return record;
  const seconds = (clock().getTime() - Date.parse(delivery.occurredAt)) / 1_000;
  return { ...record, delivered: { seconds, attempt: made === 1 ? 'first' : 'later' } };
}

/** `expired`: the content was deleted. `window-closed`: intake no longer signs anything for the event. */
type Sending =
  | ({ readonly kind: 'ended' } & PostResult)
  | { readonly kind: 'expired' }
  | { readonly kind: 'window-closed' };

async function send(
  delivery: StoredDelivery,
  known: Buffer | undefined,
  deps: DeliverWebhookDeps & { readonly startedAt: Date },
): Promise<Sending> {
  try {
    // 4. The grant comes before the body is opened: intake decides where it may go.
    const secrets = await deps.secrets.of(delivery);
    // 5. The body is opened, or rebuilt where the row differs from what this service stored.
    const content = await loadContent(delivery, known, deps);
    crashpoint(crashPoints.deliveryBeforeSend);
    // 6. The POST. After a crash the same id and bytes are sent once more.
    const result = await postWebhook({ delivery, content, secrets, at: deps.startedAt }, deps);
    crashpoint(crashPoints.deliveryAfterSend);
    return { kind: 'ended', ...result };
  } catch (err) {
    return explainNotSent(delivery.id, err, deps);
  }
}

/** Explains why an attempt was not made, and raises the alarm where somebody may have changed the delivery. */
function explainNotSent(id: string, err: unknown, deps: DeliverWebhookDeps): Sending {
  // Intake no longer signs anything for this event.
  if (err instanceof AppError && err.code === 'REQUEST_STATE_NOT_ALLOWED') return { kind: 'window-closed' };
  const isReaddressed = err instanceof KeyringError && err.fault === 'other-binding';
  if (err instanceof OtherDestination || isReaddressed) {
    deps.rows.reportFailed({ table: 'delivery', id });
    return notSent('its destination is not the one that the partner registered');
  }
  if (err instanceof NotGranted) {
    deps.onNotGranted(id, err);
    return notSent('intake has not signed that it may be sent');
  }
  // A missing key or unusable secret is an internal fault, so the attempt is retried and logged.
  deps.logger.error({ err, deliveryId: id }, 'delivery attempt not prepared');
  return notSent('the attempt could not be prepared');
}

function notSent(message: string): Sending {
  return { kind: 'ended', answer: { kind: 'failed', failure: 'NOT_SENT', message }, excerpt: null };
}

const payloadExpired = {
  outcome: 'PAYLOAD_EXPIRED',
  status: null,
  error: 'the content was deleted at the end of its retention',
  answer: null,
  state: 'STOPPED',
  retryAfterMs: null,
} as const;

const windowClosed = {
  outcome: 'NOT_SENT',
  status: null,
  error: 'the time to deliver it is over; an operator can have it sent again',
  answer: null,
  state: 'EXHAUSTED',
  retryAfterMs: null,
} as const;

interface PreparedDelivery {
  readonly event: eventsContract.WebhookEvent;
  readonly composed: ComposedDelivery;
}

/** Returns undefined where the event has ended and its delivery is stored: only the acknowledgement was lost. */
async function prepareDelivery(
  eventId: string,
  deps: DeliverWebhookDeps,
): Promise<PreparedDelivery | undefined> {
  try {
    const requestedAt = deps.secrets.now();
    const event = await deps.intake['events.get']({ eventId });
    keepGrant(event, { eventId, requestedAt }, deps);
    return { event, composed: await composeDelivery(event, deps) };
  } catch (error) {
    if (isGone(error) && (await deps.isStored(eventId))) return undefined;
    throw error;
  }
}

/** Keeps the grant before the delivery is stored: a destination that intake has not signed never becomes a delivery. */
function keepGrant(
  { partnerId, url, sealedSecrets, statement, ...event }: eventsContract.WebhookEvent,
  { eventId, requestedAt }: { readonly eventId: string; readonly requestedAt: number },
  { secrets, onNotGranted }: DeliverWebhookDeps,
): void {
  try {
    if (event.eventId !== eventId) throw new NotGranted(eventId, 'the answer is another event');
    secrets.keep({ id: eventId, partnerId, url }, { sealedSecrets, statement }, requestedAt);
  } catch (err) {
    if (!(err instanceof NotGranted || err instanceof OtherDestination)) throw err;
    onNotGranted(eventId, err);
    throw new AppError({ code: 'SERVICE_UNAVAILABLE', cause: err });
  }
}
