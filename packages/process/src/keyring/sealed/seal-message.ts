import { generateKeyPairSync } from 'node:crypto';
import type { SealBinding } from '@rubrica/contracts/shared/sealed-purposes';
import type { NamedKey } from '../key-files.ts';
import { agreedForMs, agreeKey } from './agree-key.ts';
import { encryptContent } from './content.ts';
import { writeHeader } from './sealed-header.ts';

interface Agreed {
  /** The ephemeral public key. Its private half is gone once the wrapping key is agreed. */
  readonly x: string;
  readonly wrappingKey: Buffer;
  readonly expiresAtMs: number;
}

/** @returns compact JWE (RFC 7516 §7.1) */
export type SealMessage = (data: Uint8Array, recipient: NamedKey, binding: SealBinding) => string;

/**
 * Seals for the owner of an X25519 key, readable by any JOSE library. An agreed key serves a recipient for some minutes:
 * making one is nine tenths of the cost of a seal. Recipients are the peers, so there are few.
 */
export function createSealMessage(nowMs: () => number): SealMessage {
  const agreedWith = new Map<string, Agreed>();
  const agree = ({ kid, key }: NamedKey): Agreed => {
    const known = agreedWith.get(kid);
    if (known !== undefined && known.expiresAtMs > nowMs()) return known;
    const ephemeral = generateKeyPairSync('x25519');
    const { x = '' } = ephemeral.publicKey.export({ format: 'jwk' });
    const wrappingKey = agreeKey(ephemeral.privateKey, key);
    const made: Agreed = { x, wrappingKey, expiresAtMs: nowMs() + agreedForMs };
    agreedWith.set(kid, made);
    forgetLater(agreedWith, kid, made);
    return made;
  };
  return (data, recipient, binding) => {
    const { x, wrappingKey } = agree(recipient);
    const header = writeHeader(recipient.kid, x, binding);
    const { wrappedKey, iv, ciphertext, tag } = encryptContent(data, wrappingKey, header);
    return [header, ...[wrappedKey, iv, ciphertext, tag].map((part) => part.toString('base64url'))].join('.');
  };
}

/** Also where nothing is sealed any more: a key that stayed in memory could be read there. */
function forgetLater(agreedWith: Map<string, Agreed>, kid: string, made: Agreed): void {
  const forget = () => {
    if (agreedWith.get(kid) === made) agreedWith.delete(kid);
    made.wrappingKey.fill(0);
  };
  setTimeout(forget, agreedForMs).unref();
}
