import { randomBytes } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { expect, test } from 'vitest';
import { startReceiver } from './receiver.ts';

const secret = `whsec_${randomBytes(32).toString('base64')}`;

function send(
  url: string,
  options: { id?: string; body?: string; signWith?: string } = {},
): Promise<Response> {
  const { id = 'msg-1', body = '{"referenceTransaction":"TX-1"}', signWith = secret } = options;
  const at = new Date();
  return fetch(url, {
    method: 'POST',
    body,
    headers: {
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
      'webhook-signature': new Webhook(signWith).sign(id, at, body),
      'x-rubrica-event': 'certificate.issued',
    },
    signal: AbortSignal.timeout(3_000),
  });
}

test('a delivery is recorded with its parts and a right signature has no fault', async () => {
  await using receiver = await startReceiver(secret);
  expect((await send(receiver.url)).status).toBe(204);
  expect(await receiver.next(() => true)).toMatchObject({
    id: 'msg-1',
    type: 'certificate.issued',
    body: { referenceTransaction: 'TX-1' },
    signatureFault: undefined,
    answered: { status: 204 },
  });
});

test('a signature by another secret is recorded as a fault', async () => {
  await using receiver = await startReceiver(secret);
  await send(receiver.url, { signWith: `whsec_${randomBytes(32).toString('base64')}` });
  expect(receiver.deliveries[0]?.signatureFault).toContain('No matching signature');
});

test('scripted answers come in order, then 204 again', async () => {
  await using receiver = await startReceiver(secret);
  receiver.script({ status: 503, headers: { 'retry-after': '7' } }, 'reset', 'hang');
  const refused = await send(receiver.url);
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '7']);
  await expect(send(receiver.url)).rejects.toThrow('fetch failed');
  await expect(send(receiver.url)).rejects.toThrow('timeout');
  expect((await send(receiver.url)).status).toBe(204);
  expect(receiver.deliveries.map(({ answered }) => answered)).toEqual([
    expect.objectContaining({ status: 503 }),
    'reset',
    'hang',
    { status: 204 },
  ]);
});

test('a rule may decide by what was delivered', async () => {
  await using receiver = await startReceiver(secret);
  receiver.decide(({ id }) => (id === 'gone' ? { status: 410 } : undefined));
  expect((await send(receiver.url, { id: 'gone' })).status).toBe(410);
  expect((await send(receiver.url, { id: 'kept' })).status).toBe(204);
});
