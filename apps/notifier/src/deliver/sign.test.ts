import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { signatureHeaders } from './sign.ts';

const first = `whsec_${Buffer.alloc(24, 1).toString('base64')}`;
const second = `whsec_${Buffer.alloc(32, 2).toString('base64')}`;
const body = Buffer.from('{"referenceTransaction":"Ñandú-1"}');

describe('signatureHeaders', () => {
  it('makes the signature that the reference library makes', () => {
    const at = new Date('2026-11-20T10:00:00.900Z');
    expect(signatureHeaders({ id: 'msg_1', at, body }, [first])['webhook-signature']).toBe(
      new Webhook(first).sign('msg_1', at, body),
    );
  });

  it('is verified with any of the secrets while one replaces the other, and with no third', () => {
    const headers = signatureHeaders({ id: 'msg_1', at: new Date(), body }, [second, first]);
    for (const secret of [first, second]) {
      expect(new Webhook(secret).verify(body, headers)).toEqual({ referenceTransaction: 'Ñandú-1' });
    }
    const third = `whsec_${Buffer.alloc(24, 3).toString('base64')}`;
    expect(() => new Webhook(third).verify(body, headers)).toThrow('No matching signature found');
  });

  it('signs id, time and body', () => {
    const headers = signatureHeaders({ id: 'msg_1', at: new Date(), body }, [first]);
    const webhook = new Webhook(first);
    expect(() => webhook.verify(Buffer.from('{}'), headers)).toThrow();
    expect(() => webhook.verify(body, { ...headers, 'webhook-id': 'msg_2' })).toThrow();
    const later = String(Number(headers['webhook-timestamp']) + 1);
    expect(() => webhook.verify(body, { ...headers, 'webhook-timestamp': later })).toThrow();
  });

  it('refuses to sign with no secret or an empty one', () => {
    expect(() => signatureHeaders({ id: 'msg_1', at: new Date(), body }, [])).toThrow('at least one secret');
    expect(() => signatureHeaders({ id: 'msg_1', at: new Date(), body }, ['whsec_'])).toThrow('shorter');
  });
});
