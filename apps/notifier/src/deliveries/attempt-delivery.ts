import type { RowGuard, Sealed } from '@rubrica/database';
import {
  AppError,
  continueTrace,
  crashpoint,
  formatLocalDateTime,
  type Keyring,
  KeyringError,
  type Logger,
  release,
  SpanTemplate,
  withSpanIn,
} from '@rubrica/process';
import { crashPoints } from '../crash-points.ts';
import type { Answer, Dialer } from '../dialer/dialer.ts';
import { describeAnswer } from '../dialer/outcome.ts';
import type { Schedule } from '../send-queue/retry-schedule.ts';
import { NotGranted, OtherDestination } from '../signing/read-delivery-statement.ts';
import { buildSignatureHeaders } from '../signing/sign.ts';
import type { SigningSecrets } from '../signing/signing-secrets.ts';
import { isDeliveryIntact } from '../store/guarded-tables.ts';
import { extractReceiverExcerpt } from './answer-excerpt.ts';
import type { ComposedDelivery } from './compose-delivery.ts';
import type { AttemptRecord, LeasedDelivery } from './delivery.store.ts';
import { openBody } from './open-body.ts';
import { judgeDelivery } from './verdict.ts';

export interface AttemptDeps {
  readonly dialer: Pick<Dialer, 'post'>;
  readonly secrets: Pick<SigningSecrets, 'of'>;
  readonly keyring: Pick<Keyring, 'open'>;
  readonly rows: Pick<RowGuard, 'isIntact' | 'reportFailed'>;
  /** Rebuilds a delivery from its event. */
  rebuild(delivery: LeasedDelivery): Promise<ComposedDelivery>;
  readonly schedule: Schedule;
  readonly timeZone: string;
  readonly clock: () => Date;
  /** Uniform in [0, 1). */
  readonly random: () => number;
  readonly logger: Pick<Logger, 'error'>;
  /** Raises the alarm for a delivery that intake has not signed. */
  onNotGranted(deliveryId: string, err: Error): void;
}

/** Input of an attempt. `body` is the one just built, if present; otherwise, the body is opened from the row. */
export type AttemptInput = { delivery: LeasedDelivery; body: Buffer | undefined };

/** Makes one POST and judges the answer. Time and signature are new for each attempt, id and body never change. */
export async function attemptDelivery(
  { delivery, body }: AttemptInput,
  deps: AttemptDeps,
): Promise<AttemptRecord> {
  const { clock, random, schedule } = deps;
  const startedAt = clock();
  const started = performance.now();
  const { id, fence } = delivery;
  const isExpired = delivery.body === null;
  const { answer, words } = isExpired
    ? payloadExpired
    : await send({ delivery, body }, { ...deps, startedAt });
  const durationMs = Math.round(performance.now() - started);
  const base = { id, fence, startedAt, durationMs, answer: words };
  // The attempt can be recorded only after the commit. If the delivery was not stored, the job is redelivered.
  await delivery.committed;
  if (answer === 'expired') return { ...base, ...payloadExpiredResult };
  if (answer === 'over') return { ...base, ...windowClosedResult };
  const attempts = delivery.roundAttempts + 1;
  const { outcome, status, error, ...next } = judgeDelivery(answer, {
    schedule,
    made: attempts,
    random: random(),
    now: clock(),
  });
  const retryAfterMs = next.state === 'PENDING' ? next.retryAfterMs : null;
  const record = { ...base, outcome, status, error, state: next.state, retryAfterMs };
  if (next.state !== 'DELIVERED') return record;
  const seconds = (clock().getTime() - Date.parse(delivery.occurredAt)) / 1_000;
  return { ...record, delivered: { seconds, attempt: attempts === 1 ? 'first' : 'later' } };
}

interface SendResult {
  readonly answer: Answer | 'over' | 'expired';
  /** Excerpt of the answer to an attempt that was not acknowledged. */
  readonly words: string | null;
}

const payloadExpired: SendResult = { answer: 'expired', words: null };

async function send(
  { delivery, body }: AttemptInput,
  deps: AttemptDeps & { startedAt: Date },
): Promise<SendResult> {
  try {
    // The grant comes before the body is opened: intake decides where it may go.
    const secrets = await deps.secrets.of(delivery);
    const { said, bytes } = await loadContent({ delivery, body }, deps);
    const signed = buildSignatureHeaders({ id: delivery.id, at: deps.startedAt, body: bytes }, secrets);
    crashpoint(crashPoints.deliveryBeforeSend);
    const answer = await runInTrace(delivery, (traceparent) => {
      const headers = { ...signed, ...eventHeaders({ ...said, traceparent }, deps.timeZone) };
      return deps.dialer.post({ url: delivery.url, headers, body: bytes });
    });
    crashpoint(crashPoints.deliveryAfterSend);
    return { answer, words: extractExcerpt(answer, bytes) };
  } catch (err) {
    // Intake no longer signs anything for this event.
    if (err instanceof AppError && err.code === 'REQUEST_STATE_NOT_ALLOWED')
      return { answer: 'over', words: null };
    const isReaddressed = err instanceof KeyringError && err.fault === 'other-binding';
    if (err instanceof OtherDestination || isReaddressed) {
      deps.rows.reportFailed({ table: 'delivery', id: delivery.id });
      return notSentElsewhere;
    }
    if (err instanceof NotGranted) {
      deps.onNotGranted(delivery.id, err);
      return notSentUnsigned;
    }
    // A missing key or unusable secret is an internal fault, so the attempt is retried and logged.
    deps.logger.error({ err, deliveryId: delivery.id }, 'delivery attempt not prepared');
    const message = 'the attempt could not be prepared';
    return { answer: { kind: 'failed', failure: 'NOT_SENT', message }, words: null };
  }
}

interface DeliveryContent {
  readonly said: Pick<LeasedDelivery, 'type' | 'occurredAt' | 'renewalOf' | 'code'>;
  readonly bytes: Buffer;
}

/** Loads body and headers as this service stored them; otherwise, rebuilds them from intake's event. */
async function loadContent({ delivery, body }: AttemptInput, deps: AttemptDeps): Promise<DeliveryContent> {
  const stored = { ...delivery, body: delivery.body as Sealed };
  if (!isDeliveryIntact(deps.rows, stored)) {
    await refuseReaddressed(stored, deps);
    const { fields, body: bytes } = await deps.rebuild(delivery);
    return { said: fields, bytes };
  }
  return { said: delivery, bytes: body ?? (await openBody(stored, deps.keyring)) };
}

/**
 * Refuses to rebuild a body that belongs to another address.
 * @throws KeyringError `other-binding`
 */
async function refuseReaddressed(
  stored: Parameters<typeof openBody>[0],
  { keyring }: Pick<AttemptDeps, 'keyring'>,
): Promise<void> {
  try {
    await openBody(stored, keyring);
  } catch (error) {
    if (error instanceof KeyringError && error.fault === 'other-binding') throw error;
  }
}

const notSentElsewhere: SendResult = {
  answer: {
    kind: 'failed',
    failure: 'NOT_SENT',
    message: 'its destination is not the one that the partner registered',
  },
  words: null,
};

const notSentUnsigned: SendResult = {
  answer: {
    kind: 'failed',
    failure: 'NOT_SENT',
    message: 'intake has not signed that it may be sent',
  },
  words: null,
};

function extractExcerpt(answer: Answer, sent: Buffer): string | null {
  if (answer.kind === 'failed' || describeAnswer(answer).outcome === 'ACKNOWLEDGED') return null;
  return extractReceiverExcerpt(answer.start, sent);
}

const payloadExpiredResult = {
  outcome: 'PAYLOAD_EXPIRED',
  status: null,
  error: 'the content was deleted at the end of its retention',
  state: 'STOPPED',
  retryAfterMs: null,
} as const;

const windowClosedResult = {
  outcome: 'NOT_SENT',
  status: null,
  error: 'the time to deliver it is over; an operator can have it sent again',
  state: 'EXHAUSTED',
  retryAfterMs: null,
} as const;

/** Runs the call in a span of the delivery's trace, if one is stored; the receiver's spans are its children. */
function runInTrace<Result>(
  { id, traceparent, type }: LeasedDelivery,
  post: (traceparent: string | null) => Promise<Result>,
): Promise<Result> {
  if (traceparent === null) return post(null);
  // The stored value is untrusted: anyone who can write the table may have set it.
  const trace = continueTrace(traceparent);
  const template = new SpanTemplate('POST webhook', {
    kind: 'client',
    facts: { 'http.request.method': 'POST' },
    fields: { deliveryId: id, event: type },
  });
  return withSpanIn({ requestId: id, traceparent: trace }, template, (span) =>
    post(span?.traceparent ?? trace),
  );
}

function eventHeaders(
  delivery: Pick<LeasedDelivery, 'type' | 'occurredAt' | 'traceparent' | 'renewalOf' | 'code'>,
  timeZone: string,
): Record<string, string> {
  return {
    'content-type': 'application/json',
    'user-agent': `Rubrica-Webhooks/${release}`,
    'x-rubrica-event': delivery.type,
    'x-rubrica-occurred-at': formatLocalDateTime(new Date(delivery.occurredAt), timeZone),
    ...(delivery.code !== null && { 'x-rubrica-code': delivery.code }),
    ...(delivery.renewalOf !== null && { 'x-rubrica-renewal-of': delivery.renewalOf }),
    ...(delivery.traceparent !== null && { traceparent: delivery.traceparent }),
  };
}
