import { createHmac, randomBytes, randomInt, timingSafeEqual } from 'node:crypto';
import type { Keyring } from '@rubrica/process';

/** What a digest is bound to: it fits no other code and no other request. */
interface CodeIdentity {
  readonly requestId: string;
  readonly id: string;
}

export interface MadeCode {
  readonly digest: string;
  readonly sealedKey: string;
  /** Only the notifier can read it, to send it. */
  readonly sealed: string;
}

function digestOf(key: Uint8Array, { requestId, id }: CodeIdentity, code: string): string {
  return createHmac('sha256', key).update(`${requestId}:${id}:${code}`).digest('hex');
}

/**
 * Six random digits. There are only a million: anybody with the table could find the code of a bare hash. So
 * each is kept as an HMAC under a key of its own, and that key is sealed to this service.
 */
export async function makeCode(keyring: Pick<Keyring, 'sealTo'>, identity: CodeIdentity): Promise<MadeCode> {
  const code = String(randomInt(1_000_000)).padStart(6, '0');
  const key = randomBytes(32);
  const [sealedKey, sealed] = await Promise.all([
    keyring.sealTo('intake', key, { purpose: 'code-key', owner: identity.id }),
    keyring.sealTo('notifier', code, { purpose: 'claim-code', owner: identity.requestId }),
  ]);
  return { digest: digestOf(key, identity, code), sealedKey, sealed };
}

/** The digest that a given code would have; made outside the transaction that compares it. */
export async function digestGiven(
  keyring: Pick<Keyring, 'open'>,
  identity: CodeIdentity & { readonly sealedKey: string },
  code: string,
): Promise<string> {
  const key = await keyring.open(identity.sealedKey, { purpose: 'code-key', owner: identity.id });
  return digestOf(key, identity, code);
}

export function sameDigest(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one, 'hex'), Buffer.from(other, 'hex')];
  return a.length === b.length && timingSafeEqual(a, b);
}
