import { identifierNames } from '@rubrica/contracts/shared/identifiers';
import vectors from '@rubrica/contracts/webhook-vectors.json' with { type: 'json' };
import { Webhook } from 'standardwebhooks';
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

const requestId = '0197a3c2-5b1e-7c44-9d0a-3f6e2b8c1d70';
const failed = { requestId, referenceTransaction: 'TX-1', message: 'no' };

function signedCall(payload: string): WebhookCall {
  const secret = 'whsec_QnLl20yfPZtV6G8vyN9MOwxzqZCpuorq15rPpd49lGY=';
  const now = 1_700_000_000_000;
  const headers = {
    'webhook-id': 'msg_1',
    'webhook-timestamp': `${now / 1_000}`,
    'webhook-signature': new Webhook(secret).sign('msg_1', new Date(now), payload),
  };
  return { payload, headers, secrets: [secret], now };
}

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

  it.each(Object.values(identifierNames))(
    'names its request, whichever family it is of: %s',
    async (name) => {
      const payload = JSON.stringify({
        [name]: requestId,
        referenceTransaction: 'TX-1',
        message: 'no',
        status: 'REFUSED',
      });
      const { id: _id, timestamp: _timestamp, ...event } = await verifyWebhook(signedCall(payload));
      expect(event).toEqual({ type: 'request.refused', requestId, body: JSON.parse(payload) });
    },
  );

  it.each([
    {
      name: 'of another event',
      body: { referenceTransaction: 'TX-1', serialNumber: '0A', revokedAt: '2026' },
    },
    { name: 'with a field too many', body: { ...failed, pausedAt: '2026' } },
    { name: 'with a field too few', body: { requestId, message: 'no' } },
    { name: 'of another status', body: { ...failed, status: 'PAUSED' } },
    { name: 'with a number for a text', body: { ...failed, message: 1 } },
    { name: 'that names two requests', body: { ...failed, transactionalRequestId: requestId } },
  ])('is taken for no event that it is not: a body $name', async ({ body }) => {
    expect(await verifyWebhook(signedCall(JSON.stringify(body)))).toMatchObject({ type: 'unknown', body });
  });

  it.each(['[]', 'null', '"text"', '{'])('has a JSON object for its body: %s is refused', async (payload) => {
    const refused = verifyWebhook(signedCall(payload));
    await expect(refused).rejects.toMatchObject({ name: 'WebhookError', fault: 'BAD_BODY' });
  });

  const enveloped = (whole: object) =>
    verifyWebhook(
      signedCall(JSON.stringify({ id: 'msg_1', occurredAt: '2026-11-23T15:00:00.500', ...whole })),
    );

  it('in an envelope is what the envelope says, with its time and the code of an error', async () => {
    const data = { ...failed, code: 'NAME_MISMATCH' };
    expect(await enveloped({ type: 'request.error', data })).toMatchObject({
      type: 'request.error',
      occurredAt: '2026-11-23T15:00:00.500',
      requestId,
      code: 'NAME_MISMATCH',
      body: failed,
    });
    expect(await enveloped({ type: 'ping', data: {} })).toMatchObject({ type: 'ping', body: {} });
  });

  it('has the code of an error by its header, unless what was signed says it', async () => {
    const code = async (payload: object, header: string) => {
      const call = signedCall(JSON.stringify(payload));
      const event = await verifyWebhook({ ...call, headers: { ...call.headers, 'X-Rubrica-Code': header } });
      return 'code' in event ? event.code : undefined;
    };
    expect(await code(failed, 'NAME_MISMATCH')).toBe('NAME_MISMATCH');
    expect(await code(failed, 'no code, "quoted"')).toBeUndefined();
    const signed = { id: 'msg_1', occurredAt: '2026-11-23T15:00:00.500', type: 'request.error' };
    const data = { ...failed, code: 'RUC_INACTIVE' };
    expect(await code({ ...signed, data }, 'NAME_MISMATCH')).toBe('RUC_INACTIVE');
    expect(
      await code({ referenceTransaction: 'TX-1', file: 'AA==', serialNumber: '0A' }, 'NAME_MISMATCH'),
    ).toBe(undefined);
  });

  it('in an envelope that contradicts itself is of no known event', async () => {
    for (const whole of [
      { type: 'request.refused', data: failed },
      { type: 'request.error', id: 'msg_2', data: failed },
      { type: 'certificate.lost', data: { referenceTransaction: 'TX-1' } },
    ])
      expect(await enveloped(whole)).toMatchObject({ type: 'unknown', body: whole });
  });

  it('is judged by no secret that is none', async () => {
    await expect(verifyWebhook({ ...call, secrets: ['hunter2'] })).rejects.toThrow(TypeError);
    await expect(verifyWebhook({ ...call, secrets: [] })).rejects.toMatchObject({ fault: 'WRONG_SIGNATURE' });
  });
});
