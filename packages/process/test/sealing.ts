import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import type { SealBinding } from '@rubrica/contracts/shared/sealed-purposes';
import { createOpenMessage } from '../src/keyring/sealed/open-message.ts';
import { createSealMessage } from '../src/keyring/sealed/seal-message.ts';

export const binding: SealBinding = { purpose: 'bundle', owner: '01890a5d-ac96-774b-bcce-b302099a8057' };

interface X25519Jwk extends Record<string, string> {
  kty: string;
  crv: string;
  x: string;
  d: string;
}

/** A recipient and both sides of its sealing, with a clock that a test may move. */
export function makeSealing() {
  const clock = { nowMs: 1_000_000 };
  const nowMs = () => clock.nowMs;
  const jwk = generateKeyPairSync('x25519').privateKey.export({ format: 'jwk' }) as X25519Jwk;
  const { d: _, ...publicJwk } = jwk;
  const kid = 'intake-enc-1';
  const recipient = { kid, key: createPublicKey({ key: publicJwk, format: 'jwk' }) };
  const openingKeys: ReadonlyMap<string, KeyObject> = new Map([
    [kid, createPrivateKey({ key: jwk, format: 'jwk' })],
  ]);
  const newSealer = () => {
    const seal = createSealMessage(nowMs);
    return (data: Uint8Array | string, bound = binding) => seal(Buffer.from(data), recipient, bound);
  };
  return {
    clock,
    kid,
    jwk,
    publicJwk,
    seal: newSealer(),
    newSealer,
    open: createOpenMessage(openingKeys, nowMs),
    newOpener: () => createOpenMessage(openingKeys, nowMs),
  };
}

export interface HeaderMembers extends Record<string, unknown> {
  epk: Record<string, unknown>;
}

export function headerOf(jwe: string): HeaderMembers {
  return JSON.parse(Buffer.from(jwe.split('.')[0] ?? '', 'base64url').toString('utf8'));
}

/** The same message under another header. */
export function withHeader(jwe: string, header: unknown): string {
  const text = typeof header === 'string' ? header : JSON.stringify(header);
  return [Buffer.from(text).toString('base64url'), ...jwe.split('.').slice(1)].join('.');
}
