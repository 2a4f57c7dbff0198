import { createPublicKey, generateKeyPairSync, verify } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { buildSignatureHeaders } from './sign.ts';

const first = `whsec_${Buffer.alloc(24, 1).toString('base64')}`;
const second = `whsec_${Buffer.alloc(32, 2).toString('base64')}`;
const body = Buffer.from('{"referenceTransaction":"Ñandú-1"}');

/** What a receiver does with a `whpk_` key, by the specification and without a line of ours. */
function verifies(publicKey: string, signed: Buffer, signature: string): boolean {
  const x = Buffer.from(publicKey.replace('whpk_', ''), 'base64').toString('base64url');
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
  return verify(null, signed, key, Buffer.from(signature.replace('v1a,', ''), 'base64'));
}

function makeKeys() {
  const { d = '', x = '' } = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' });
  const bytes = Buffer.concat([Buffer.from(d, 'base64url'), Buffer.from(x, 'base64url')]);
  return {
    privateKey: `whsk_${bytes.toString('base64')}`,
    publicKey: `whpk_${Buffer.from(x, 'base64url').toString('base64')}`,
  };
}

describe('signatureHeaders', () => {
  it('makes the signature that the reference library makes', () => {
    const at = new Date('2026-11-20T10:00:00.900Z');
    expect(buildSignatureHeaders({ id: 'msg_1', at, body }, [first])['webhook-signature']).toBe(
      new Webhook(first).sign('msg_1', at, body),
    );
  });

  it('is verified with any of the secrets while one replaces the other, and with no third', () => {
    const headers = buildSignatureHeaders({ id: 'msg_1', at: new Date(), body }, [second, first]);
    for (const secret of [first, second]) {
      expect(new Webhook(secret).verify(body, headers)).toEqual({ referenceTransaction: 'Ñandú-1' });
    }
    const third = `whsec_${Buffer.alloc(24, 3).toString('base64')}`;
    expect(() => new Webhook(third).verify(body, headers)).toThrow('No matching signature found');
  });

  it('signs id, time and body', () => {
    const headers = buildSignatureHeaders({ id: 'msg_1', at: new Date(), body }, [first]);
    const webhook = new Webhook(first);
    expect(() => webhook.verify(Buffer.from('{}'), headers)).toThrow();
    expect(() => webhook.verify(body, { ...headers, 'webhook-id': 'msg_2' })).toThrow();
    const later = String(Number(headers['webhook-timestamp']) + 1);
    expect(() => webhook.verify(body, { ...headers, 'webhook-timestamp': later })).toThrow();
  });

  it('refuses to sign with no secret or an empty one', () => {
    expect(() => buildSignatureHeaders({ id: 'msg_1', at: new Date(), body }, [])).toThrow(
      'at least one secret',
    );
    expect(() => buildSignatureHeaders({ id: 'msg_1', at: new Date(), body }, ['whsec_'])).toThrow('shorter');
  });

  it('signs with a key pair what anybody can verify with its public key, and nothing else', () => {
    const { privateKey, publicKey } = makeKeys();
    const at = new Date('2026-11-20T10:00:00.900Z');
    const signature =
      buildSignatureHeaders({ id: 'msg_1', at, body }, [privateKey])['webhook-signature'] ?? '';
    const signed = (id: string) => Buffer.concat([Buffer.from(`${id}.1795168800.`), body]);
    expect(signature).toMatch(/^v1a,[A-Za-z0-9+/]{86}==$/);
    expect(verifies(publicKey, signed('msg_1'), signature)).toBe(true);
    expect(verifies(publicKey, signed('msg_2'), signature)).toBe(false);
    expect(verifies(makeKeys().publicKey, signed('msg_1'), signature)).toBe(false);
  });

  it('signs with secret and key side by side, so that receivers of either kind verify', () => {
    const { privateKey } = makeKeys();
    const headers = buildSignatureHeaders({ id: 'msg_1', at: new Date(), body }, [first, privateKey]);
    expect(headers['webhook-signature']?.split(' ').map((part) => part.split(',')[0])).toEqual(['v1', 'v1a']);
    expect(new Webhook(first).verify(body, headers)).toEqual({ referenceTransaction: 'Ñandú-1' });
  });

  // The vector that the implementations of the specification agree on; its signature is the specification's example.
  it('makes the signature that the reference implementation makes of the same key', () => {
    const key =
      'whsk_6Xb/dCcHpPea21PS1N9VY/NZW723CEc77N4rJCubMbfVKIDij2HKpMKkioLlX0dRqSKJp4AJ6p9lMicMFs6Kvg==';
    const headers = buildSignatureHeaders(
      {
        id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
        at: new Date(1_614_265_330_000),
        body: Buffer.from('{"test": 2432232314}'),
      },
      [key],
    );
    expect(headers['webhook-signature']).toBe(
      'v1a,hnO3f9T8Ytu9HwrXslvumlUpqtNVqkhqw/enGzPCXe5BdqzCInXqYXFymVJaA7AZdpXwVLPo3mNl8EM+m7TBAg==',
    );
  });

  it('refuses a key of another length', () => {
    expect(() => buildSignatureHeaders({ id: 'msg_1', at: new Date(), body }, ['whsk_AAAA'])).toThrow(
      '64 bytes',
    );
  });
});
