import { createHmac, randomBytes, randomInt, timingSafeEqual } from 'node:crypto';
import type { Keyring } from '@rubrica/process/keyring';

/** Identity to which a digest is bound: it fits no other code and no other request. */
interface CodeIdentity {
  readonly requestId: string;
  readonly id: string;
}

export interface CreatedCode {
  readonly digest: string;
  readonly sealedKey: string;
  /** Code sealed to the notifier, which sends it. */
  readonly sealed: string;
}

function computeDigest(key: Uint8Array, { requestId, id }: CodeIdentity, code: string): string {
  return createHmac('sha256', key).update(`${requestId}:${id}:${code}`).digest('hex');
}

/**
 * Creates six random digits. There are only a million codes: anybody with the table could find the code of a
 * bare hash. So each code is stored as an HMAC under its own key, and that key is sealed to this service.
 */
export async function createCode(
  keyring: Pick<Keyring, 'sealTo'>,
  identity: CodeIdentity,
): Promise<CreatedCode> {
  const code = String(randomInt(1_000_000)).padStart(6, '0');
  const key = randomBytes(32);
  const [sealedKey, sealed] = await Promise.all([
    keyring.sealTo('intake', key, { purpose: 'code-key', owner: identity.id }),
    keyring.sealTo('notifier', code, { purpose: 'claim-code', owner: identity.requestId }),
  ]);
  return { digest: computeDigest(key, identity, code), sealedKey, sealed };
}

/** Computes the digest that an entered code would have, outside the transaction that compares it. */
export async function computeEnteredDigest(
  keyring: Pick<Keyring, 'open'>,
  identity: CodeIdentity & { readonly sealedKey: string },
  code: string,
): Promise<string> {
  const key = await keyring.open(identity.sealedKey, { purpose: 'code-key', owner: identity.id });
  return computeDigest(key, identity, code);
}

export function sameDigest(left: string, right: string): boolean {
  const [a, b] = [Buffer.from(left, 'hex'), Buffer.from(right, 'hex')];
  return a.length === b.length && timingSafeEqual(a, b);
}
