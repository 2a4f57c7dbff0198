import type { Bus } from '../connection/connect-bus.ts';
import { request } from './acked-publish.ts';
import { type ApiError, fromApiError } from './jetstream-error.ts';

const timeoutMs = 5_000;
const noMessageFound = 10_037;

/** Sends one request to the JetStream API; undefined if it asked for a message that does not exist. */
export async function askApi<T>(bus: Bus, subject: string, body: object): Promise<T | undefined> {
  const reply = await request(bus, { subject, data: Buffer.from(JSON.stringify(body)), timeoutMs });
  const answer = JSON.parse(Buffer.from(reply.data).toString('utf8')) as T & { error?: ApiError };
  if (answer.error?.err_code === noMessageFound) return undefined;
  if (answer.error !== undefined) throw fromApiError(subject, answer.error);
  return answer;
}
