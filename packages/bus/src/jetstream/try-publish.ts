import { headers } from 'nats';
import type { Bus } from '../connection/connect-bus.ts';
import { request } from './acked-publish.ts';
import { type ApiError, fromApiError } from './jetstream-error.ts';

const timeoutMs = 5_000;
const otherStreamExpected = 10_060;

/**
 * Tests whether a stream would accept what this connection publishes there. Nothing is stored: the message names a
 * nonexistent stream as its target, so the actual one refuses it.
 * @throws JetStreamError
 */
export async function tryPublish(bus: Bus, subject: string): Promise<void> {
  const expectation = headers();
  expectation.set('Nats-Expected-Stream', 'NOT_THIS_ONE');
  const reply = await request(bus, { subject, data: new Uint8Array(), headers: expectation, timeoutMs });
  const { error } = JSON.parse(Buffer.from(reply.data).toString('utf8')) as { error?: ApiError };
  if (error?.err_code !== otherStreamExpected) throw fromApiError(subject, error ?? {});
}
