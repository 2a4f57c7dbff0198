import { continueTrace } from '@rubrica/process/context';
import { release } from '@rubrica/process/release';
import { formatLocalDateTime } from '@rubrica/process/time';
import { SpanTemplate, withSpanIn } from '@rubrica/process/tracing';
import type { Answer, Dialer } from '../dialer/dialer.ts';
import { describeAnswer } from '../dialer/outcome.ts';
import { buildSignatureHeaders } from '../signing/sign.ts';
import { extractReceiverExcerpt } from './content/answer-excerpt.ts';
import type { DeliveryContent } from './content/load-content.ts';
import type { LeasedDelivery } from './delivery.store.ts';

export interface PostWebhookDeps {
  readonly dialer: Pick<Dialer, 'post'>;
  readonly timeZone: string;
}

export interface Post {
  readonly delivery: Pick<LeasedDelivery, 'id' | 'url' | 'type' | 'traceparent'>;
  readonly content: DeliveryContent;
  /** Secrets in the clear. */
  readonly secrets: readonly string[];
  /** Time of the attempt. */
  readonly at: Date;
}

export interface PostResult {
  readonly answer: Answer;
  /** Excerpt of the answer to an attempt that was not acknowledged. */
  readonly excerpt: string | null;
}

/** Signs and posts the content of a delivery. */
export async function postWebhook(
  { delivery, content, secrets, at }: Post,
  { dialer, timeZone }: PostWebhookDeps,
): Promise<PostResult> {
  const { fields, bytes: body } = content;
  const signed = buildSignatureHeaders({ id: delivery.id, at, body }, secrets);
  const answer = await runInTrace(delivery, (traceparent) => {
    const headers = { ...signed, ...eventHeaders({ ...fields, traceparent }, timeZone) };
    return dialer.post({ url: delivery.url, headers, body });
  });
  return { answer, excerpt: extractExcerpt(answer, body) };
}

/** Runs the call in a span of the delivery's trace, if one is stored; the receiver's spans are its children. */
function runInTrace<Result>(
  { id, traceparent, type }: Post['delivery'],
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
  {
    type,
    occurredAt,
    code,
    renewalOf,
    traceparent,
  }: DeliveryContent['fields'] & { traceparent: string | null },
  timeZone: string,
): Record<string, string> {
  return {
    'content-type': 'application/json',
    'user-agent': `Rubrica-Webhooks/${release}`,
    'x-rubrica-event': type,
    'x-rubrica-occurred-at': formatLocalDateTime(new Date(occurredAt), timeZone),
    ...(code !== null && { 'x-rubrica-code': code }),
    ...(renewalOf !== null && { 'x-rubrica-renewal-of': renewalOf }),
    ...(traceparent !== null && { traceparent }),
  };
}

function extractExcerpt(answer: Answer, sent: Buffer): string | null {
  if (answer.kind === 'failed' || describeAnswer(answer).outcome === 'ACKNOWLEDGED') return null;
  return extractReceiverExcerpt(answer.start, sent);
}
