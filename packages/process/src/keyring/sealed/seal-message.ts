import { generateKeyPairSync } from 'node:crypto';
import type { SealBinding } from '@rubrica/contracts/shared/sealed-purposes';
import type { NamedKey } from '../key-files.ts';
import { agreedForMs, agreeKey } from './agree-key.ts';
import { encryptContent } from './content.ts';
import { writeHeader } from './sealed-header.ts';

interface AgreedKey {
  /** Ephemeral public key. Its private half is discarded once the wrapping key is agreed. */
  readonly x: string;
  readonly wrappingKey: Buffer;
  readonly expiresAtMs: number;
}

/** @returns compact JWE (RFC 7516 §7.1) */
export type SealMessage = (data: Uint8Array, recipient: NamedKey, binding: SealBinding) => string;

/**
 * Creates a function that seals for the owner of an X25519 key, readable by any JOSE library. An agreed key serves a
 * recipient for some minutes: creating one is nine tenths of the cost of a seal. Recipients are the peers, so there are
 * few.
 */
export function createSealMessage(nowMs: () => number): SealMessage {
  const agreedWith = new Map<string, AgreedKey>();
  const agree = ({ kid, key }: NamedKey): AgreedKey => {
    const known = agreedWith.get(kid);
    if (known !== undefined && known.expiresAtMs > nowMs()) return known;
    const ephemeral = generateKeyPairSync('x25519');
    const { x = '' } = ephemeral.publicKey.export({ format: 'jwk' });
    const wrappingKey = agreeKey(ephemeral.privateKey, key);
    const agreed: AgreedKey = { x, wrappingKey, expiresAtMs: nowMs() + agreedForMs };
    agreedWith.set(kid, agreed);
    forgetLater(agreedWith, kid, agreed);
    return agreed;
  };
  return (data, recipient, binding) => {
    const { x, wrappingKey } = agree(recipient);
    const header = writeHeader(recipient.kid, x, binding);
    const { wrappedKey, iv, ciphertext, tag } = encryptContent(data, wrappingKey, header);
    return [header, ...[wrappedKey, iv, ciphertext, tag].map((part) => part.toString('base64url'))].join('.');
  };
}

/**
 * Removes an agreed key after its lifetime, even if nothing is sealed any more: a key that stayed in memory could be
 * read there.
 */
function forgetLater(agreedWith: Map<string, AgreedKey>, kid: string, agreed: AgreedKey): void {
  const forget = () => {
    if (agreedWith.get(kid) === agreed) agreedWith.delete(kid);
    agreed.wrappingKey.fill(0);
  };
  setTimeout(forget, agreedForMs).unref();
}
