import { createDecipheriv } from 'node:crypto';
import { type DerNode, expectTag, Malformed, member, readOid, readSmallInteger } from '../der/read.ts';
import { tags } from '../der/write.ts';
import { oids } from '../oids.ts';
import { type DigestName, deriveKey, maxPkcs12Iterations, pkcs12Kdf, purposes } from './key-derivation.ts';
import { passwordForms } from './password.ts';

/** Thrown for well-formed but unsupported content; the reader turns it into a value. */
export class Unsupported extends Error {}

/**
 * Limits above which a file would only cost time: PBKDF2 runs natively, the other derivation on this thread. `all`
 * limits the sum, because each of a thousand bags may require its own derivation. A legacy file with 100,000 iterations
 * needs seven times that: once for the MAC, three times for each of its two parts.
 */
const iterationLimits = {
  pbkdf2: { each: 1_000_000, all: 2_000_000 },
  pkcs12: { each: maxPkcs12Iterations, all: 700_000 },
} as const;
type Derivation = keyof typeof iterationLimits;

/** State of opening one file: its password, and the remaining budget of key derivation iterations. */
export type Unlocking = ReturnType<typeof passwordForms> & { roundsLeft: Record<Derivation, number> };

export function unlocking(password: string): Unlocking {
  return {
    ...passwordForms(password),
    roundsLeft: { pbkdf2: iterationLimits.pbkdf2.all, pkcs12: iterationLimits.pkcs12.all },
  };
}

const prfs: Record<string, DigestName> = {
  [oids.hmacWithSha1]: 'sha1',
  [oids.hmacWithSha256]: 'sha256',
  [oids.hmacWithSha384]: 'sha384',
  [oids.hmacWithSha512]: 'sha512',
};

const ciphers: Record<string, { name: string; keyBytes: number }> = {
  [oids.aes128Cbc]: { name: 'aes-128-cbc', keyBytes: 16 },
  [oids.aes192Cbc]: { name: 'aes-192-cbc', keyBytes: 24 },
  [oids.aes256Cbc]: { name: 'aes-256-cbc', keyBytes: 32 },
};

/** Undoes the encryption that `algorithm` describes; undefined if the padding shows a wrong key. */
export async function decryptPart(
  algorithm: DerNode,
  ciphertext: Uint8Array,
  unlock: Unlocking,
): Promise<Uint8Array | undefined> {
  const id = readOid(member(expectTag(algorithm, tags.sequence), 0, tags.objectIdentifier));
  const parameters = member(algorithm, 1, tags.sequence);
  const keys =
    id === oids.pbes2
      ? await modernKeys(parameters, unlock)
      : id === oids.pbeWithSha1And3Des
        ? await legacyKeys(parameters, unlock)
        : undefined;
  if (keys === undefined) throw new Unsupported(`encryption ${id}`);
  try {
    const decipher = createDecipheriv(keys.name, keys.key, keys.iv);
    return Buffer.concat([decipher.update(ciphertext), decipher.final()]);
  } catch {
    return undefined;
  }
}

async function modernKeys(parameters: DerNode, unlock: Unlocking) {
  const derivation = member(parameters, 0, tags.sequence);
  const scheme = member(parameters, 1, tags.sequence);
  const derivationId = readOid(member(derivation, 0, tags.objectIdentifier));
  if (derivationId !== oids.pbkdf2) throw new Unsupported(`key derivation ${derivationId}`);
  const cipherId = readOid(member(scheme, 0, tags.objectIdentifier));
  const cipher = ciphers[cipherId];
  if (cipher === undefined) throw new Unsupported(`cipher ${cipherId}`);
  const iv = member(scheme, 1, tags.octetString).content;
  if (iv.length !== 16) throw new Malformed('initialisation vector of a wrong size');
  const { salt, iterations, digest } = derivationParameters(member(derivation, 1, tags.sequence), unlock);
  const key = await deriveKey({ password: unlock.utf8, salt, iterations, length: cipher.keyBytes, digest });
  return { name: cipher.name, key, iv };
}

function derivationParameters(
  node: DerNode,
  unlock: Unlocking,
): { salt: Uint8Array; iterations: number; digest: DigestName } {
  const salt = member(node, 0, tags.octetString).content;
  const iterations = boundedIterations(member(node, 1, tags.integer), {
    unlock,
    derivation: 'pbkdf2',
    times: 1,
  });
  const prf = node.children.slice(2).find(({ tag }) => tag === tags.sequence);
  const id = prf ? readOid(member(prf, 0, tags.objectIdentifier)) : oids.hmacWithSha1;
  const digest = prfs[id];
  if (digest === undefined) throw new Unsupported(`pseudo-random function ${id}`);
  return { salt, iterations, digest };
}

async function legacyKeys(parameters: DerNode, unlock: Unlocking) {
  const salt = member(parameters, 0, tags.octetString).content;
  // Two blocks of SHA-1 for the key, one for the vector.
  const iterations = pkcs12Iterations(member(parameters, 1, tags.integer), { unlock, times: 3 });
  const common = { password: unlock.bmp, salt, iterations, digest: 'sha1' } as const;
  return {
    name: 'des-ede3-cbc',
    key: await pkcs12Kdf({ ...common, purpose: purposes.key, length: 24 }),
    iv: await pkcs12Kdf({ ...common, purpose: purposes.iv, length: 8 }),
  };
}

/** Reads the iterations of a derivation on this thread that runs `times` over. Throws if they are too many. */
export function pkcs12Iterations(node: DerNode, use: { unlock: Unlocking; times: number }): number {
  return boundedIterations(node, { ...use, derivation: 'pkcs12' });
}

function boundedIterations(
  node: DerNode,
  use: { unlock: Unlocking; derivation: Derivation; times: number },
): number {
  const iterations = readSmallInteger(node);
  const { roundsLeft } = use.unlock;
  if (iterations < 1) throw new Malformed('no iterations');
  if (iterations > iterationLimits[use.derivation].each) throw new Unsupported(`${iterations} iterations`);
  roundsLeft[use.derivation] -= iterations * use.times;
  if (roundsLeft[use.derivation] < 0) throw new Unsupported('more key derivation than any such file needs');
  return iterations;
}
