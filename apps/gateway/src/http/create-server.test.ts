import { createLogger } from '@rubrica/process/log';
import { afterEach, expect, it } from 'vitest';
import { createServer } from './create-server.ts';

const draining = new AbortController();
const app = createServer({
  trustProxy: undefined,
  requestTimeoutMs: 10_000,
  perAddress: { connections: 0, calls: 0 },
  pace: { bytesPerSecond: 1, windowMs: 1_000 },
  isHttps: true,
  timeZone: 'America/Guayaquil',
  baseUrl: 'https://rubrica.example',
  sendError: (_error, _request, reply) => reply.code(500).send(),
  logger: createLogger({ service: 'gateway', level: 'silent', format: 'json' }),
  draining: draining.signal,
});
app.get('/', () => 'here');
afterEach(() => app.close());

it('answers while it drains, and asks callers to connect elsewhere', async () => {
  const before = await app.inject('/');
  expect([before.body, before.headers.connection]).toEqual(['here', 'keep-alive']);
  draining.abort();
  const after = await app.inject('/');
  expect([after.body, after.headers.connection]).toEqual(['here', 'close']);
});
