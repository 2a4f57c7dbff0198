import { hash, pbkdf2 } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { promisify } from 'node:util';
import { rehashSha256 } from './sha256-rounds.ts';

const pbkdf2Async = promisify(pbkdf2);

export type DigestName = 'sha1' | 'sha256' | 'sha384' | 'sha512';

/** Maximum number of iterations for writing and reading a file. */
export const maxPkcs12Iterations = 600_000;

const blockBytes = { sha1: 64, sha256: 64, sha384: 128, sha512: 128 } as const;

/** Purposes of the derived octets (RFC 7292 Appendix B.3). */
export const purposes = { key: 1, iv: 2, mac: 3 } as const;

/** Derives a key by PBKDF2 in the thread pool (RFC 8018 §5.2). */
export function deriveKey(input: {
  password: Uint8Array;
  salt: Uint8Array;
  iterations: number;
  length: number;
  digest: DigestName;
}): Promise<Buffer> {
  return pbkdf2Async(input.password, input.salt, input.iterations, input.length, input.digest);
}

/**
 * Iterations per tick of the event loop: about a third of a millisecond with SHA-256, one with the other digests. A
 * hundred thousand in one piece would delay calls and health checks by 35 ms.
 */
const iterationsPerTick = 1_024;

/**
 * Derives a key for PKCS#12 (RFC 7292 Appendix B.2). Node has no native form of it: the iterations run on this thread,
 * a limited number per tick. Each takes a third of a microsecond with SHA-256 and about one with the others.
 */
export async function pkcs12Kdf(input: {
  password: Uint8Array;
  salt: Uint8Array;
  iterations: number;
  purpose: (typeof purposes)[keyof typeof purposes];
  length: number;
  digest: DigestName;
}): Promise<Buffer> {
  const v = blockBytes[input.digest];
  const diversifier = Buffer.alloc(v, input.purpose);
  const seed = Buffer.concat([fill(input.salt, v), fill(input.password, v)]);
  const out: Buffer[] = [];
  for (let length = 0; length < input.length; ) {
    const first = hash(input.digest, Buffer.concat([diversifier, seed]), 'buffer');
    const a = await rehash(input.digest, first, input.iterations - 1);
    out.push(a);
    length += a.length;
    if (length < input.length) addToBlocks(seed, fill(a, v), v);
  }
  return Buffer.concat(out).subarray(0, input.length);
}

async function rehash(digest: DigestName, first: Buffer, rounds: number): Promise<Buffer> {
  let hashed = first;
  for (let left = rounds; left > 0; left -= iterationsPerTick) {
    if (left < rounds) await nextTurn();
    hashed = rehashAtOnce(digest, hashed, Math.min(left, iterationsPerTick));
  }
  return hashed;
}

function rehashAtOnce(digest: DigestName, first: Buffer, rounds: number): Buffer {
  if (digest === 'sha256') return rehashSha256(first, rounds);
  let hashed = first;
  for (let round = 0; round < rounds; round++) hashed = hash(digest, hashed, 'buffer');
  return hashed;
}

/** Repeats octets up to a whole number of blocks; an empty input stays empty. */
function fill(bytes: Uint8Array, v: number): Buffer {
  const length = Math.ceil(bytes.length / v) * v;
  return Buffer.from(Uint8Array.from({ length }, (_, i) => bytes[i % bytes.length] ?? 0));
}

/** Computes I_j = (I_j + B + 1) mod 2^(8v), in place. */
function addToBlocks(seed: Buffer, b: Buffer, v: number): void {
  for (let start = 0; start < seed.length; start += v) {
    let carry = 1;
    for (let i = v - 1; i >= 0; i--) {
      const sum = (seed[start + i] ?? 0) + (b[i] ?? 0) + carry;
      seed[start + i] = sum & 0xff;
      carry = sum >> 8;
    }
  }
}
