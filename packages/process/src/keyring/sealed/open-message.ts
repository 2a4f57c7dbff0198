import { createPublicKey, type KeyObject } from 'node:crypto';
import type { SealBinding } from '@rubrica/contracts/shared/sealed-purposes';
import { LRUCache } from 'lru-cache';
import { KeyringError, malformedSeal } from '../keyring-error.ts';
import { agreedForMs, agreeKey } from './agree-key.ts';
import { decodePart } from './base64url.ts';
import { decryptContent, type EncryptedContent, ivBytes, tagBytes, wrappedKeyBytes } from './content.ts';
import { readHeader, type SealedHeader } from './sealed-header.ts';

/** Cached keys. Each sender has one key at a time; stored values have older ones. */
const maxAgreed = 250;

/** @throws KeyringError `malformed`, `unknown-key`, `other-binding` or `not-authentic` */
export type OpenMessage = (jwe: string, binding: SealBinding) => Buffer;

/**
 * Creates a function that opens values sealed to any of `keys`, for the purpose and the owner that the caller names.
 */
export function createOpenMessage(keys: ReadonlyMap<string, KeyObject>, nowMs: () => number): OpenMessage {
  const agreed = new LRUCache<string, Buffer>({
    max: maxAgreed,
    ttl: agreedForMs,
    ttlResolution: 0,
    perf: { now: nowMs },
  });
  return (jwe, { purpose, owner }) => {
    const { header, encodedHeader, content } = readCompact(jwe);
    const { kid, epk, pur, own } = header;
    const key = keys.get(kid);
    if (!key) throw new KeyringError('unknown-key', `nothing here opens what is sealed to key ${kid}`);
    if (pur !== purpose || own !== owner) {
      throw new KeyringError('other-binding', `what should be a ${purpose} was sealed for another use`);
    }
    const agreement = `${kid} ${epk.x}`;
    try {
      const known = agreed.get(agreement);
      const wrappingKey = known ?? agreeKey(key, createPublicKey({ key: epk, format: 'jwk' }));
      const data = decryptContent(content, wrappingKey, encodedHeader);
      // Cached only after authentication: forged values must not displace keys in use.
      if (known === undefined) agreed.set(agreement, wrappingKey);
      return data;
    } catch {
      throw new KeyringError('not-authentic', `what is sealed to key ${kid} was altered`);
    }
  };
}

interface CompactMessage {
  readonly header: SealedHeader;
  readonly encodedHeader: string;
  readonly content: EncryptedContent;
}

function readCompact(jwe: string): CompactMessage {
  const parts = jwe.split('.', 6);
  const [encodedHeader, ...others] = parts;
  if (encodedHeader === undefined || others.length !== 4) throw malformedSeal();
  const header = readHeader(encodedHeader);
  const [wrappedKey, iv, ciphertext, tag] = others.map(decodePart);
  if (wrappedKey?.length !== wrappedKeyBytes || iv?.length !== ivBytes || tag?.length !== tagBytes)
    throw malformedSeal();
  if (ciphertext === undefined) throw malformedSeal();
  return { header, encodedHeader, content: { wrappedKey, iv, ciphertext, tag } };
}
