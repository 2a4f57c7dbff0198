import vectors from '@rubrica/contracts/webhook-vectors.json' with { type: 'json' };
import { describe, expect, it, test } from 'vitest';
import { verifyWebhook, type WebhookCall } from './verify-webhook.ts';

interface Vector {
  readonly name: string;
  readonly verifyWith: readonly string[];
  readonly now: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: string;
}
const listed: { valid: readonly Vector[]; invalid: readonly Vector[] } = vectors;

const callOf = ({ headers, body, now, verifyWith }: Vector): WebhookCall => ({
  payload: new TextEncoder().encode(body),
  headers,
  secrets: verifyWith.filter((key) => key.startsWith('whsec_')),
  publicKeys: verifyWith.filter((key) => key.startsWith('whpk_')),
  now: now * 1_000,
});

describe('a webhook call', () => {
  test.each(listed.valid)('is taken: $name', async (vector) => {
    const taken = await verifyWebhook(callOf(vector));
    expect(taken.id).toBe(vector.headers['webhook-id']);
    expect(taken.body).toEqual(JSON.parse(vector.body));
  });

  test.each(listed.invalid)('is refused: $name', async (vector) => {
    await expect(verifyWebhook(callOf(vector))).rejects.toMatchObject({ name: 'WebhookError' });
  });

  const [, issued] = listed.valid;
  const call = callOf(issued as Vector);

  it('may come with the headers of fetch, or with names in any case', async () => {
    const headers = new Headers(call.headers as Record<string, string>);
    expect(await verifyWebhook({ ...call, headers })).toMatchObject({ type: 'certificate.issued' });
    const shouted = Object.fromEntries([...headers].map(([name, value]) => [name.toUpperCase(), value]));
    expect(await verifyWebhook({ ...call, headers: shouted })).toMatchObject({ type: 'certificate.issued' });
  });

  it('is what its signed body is, whatever its unsigned header says', async () => {
    const headers = { ...(call.headers as Record<string, string>), 'x-rubrica-event': 'request.refused' };
    expect((await verifyWebhook({ ...call, headers })).type).toBe('certificate.issued');
  });

  it('is judged by no secret that is none', async () => {
    await expect(verifyWebhook({ ...call, secrets: ['hunter2'] })).rejects.toThrow(TypeError);
    await expect(verifyWebhook({ ...call, secrets: [] })).rejects.toMatchObject({ fault: 'WRONG_SIGNATURE' });
  });
});
