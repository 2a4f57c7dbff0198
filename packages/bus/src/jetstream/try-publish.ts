import { headers } from 'nats';
import type { Bus } from '../connection/connect-bus.ts';
import { request } from './acked-publish.ts';
import { type ApiError, ofApiError } from './jetstream-error.ts';

const timeoutMs = 5_000;
const otherStreamExpected = 10_060;

/**
 * Whether a stream would take what this connection publishes there. Nothing is stored: the message says that it is for
 * a stream that there is not, so the one that is there refuses it. @throws JetStreamError
 */
export async function tryPublish(bus: Bus, subject: string): Promise<void> {
  const told = headers();
  told.set('Nats-Expected-Stream', 'NOT_THIS_ONE');
  const reply = await request(bus, { subject, data: new Uint8Array(), headers: told, timeoutMs });
  const { error } = JSON.parse(Buffer.from(reply.data).toString('utf8')) as { error?: ApiError };
  if (error?.err_code !== otherStreamExpected) throw ofApiError(subject, error ?? {});
}
