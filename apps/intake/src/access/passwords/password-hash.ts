import { type Argon2Parameters, argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';

const derive = promisify(argon2) as (algorithm: 'argon2id', parameters: Argon2Parameters) => Promise<Buffer>;

/**
 * Cost of a hash: OWASP's second choice of 2024, 19 MiB and two passes, because five services share small
 * machines.
 */
const cost = { memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 } as const;

function base64(bytes: Buffer): string {
  return bytes.toString('base64').replaceAll('=', '');
}

function hashWith(password: string, nonce: Buffer): Promise<Buffer> {
  return derive('argon2id', { ...cost, message: Buffer.from(password.normalize('NFC')), nonce });
}

/** @returns a PHC string, `$argon2id$v=19$m=…,t=…,p=…$salt$hash` */
export async function hashPassword(password: string): Promise<string> {
  const nonce = randomBytes(16);
  const tag = await hashWith(password, nonce);
  return `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=${cost.parallelism}$${base64(nonce)}$${base64(tag)}`;
}

const PHC = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/;

export async function verifyPassword(password: string, stored: string): Promise<boolean> {
  const [, memory, passes, parallelism, salt, hash] = PHC.exec(stored) ?? [];
  if (!memory || !passes || !parallelism || !salt || !hash) return false;
  const expected = Buffer.from(hash, 'base64');
  const tag = await derive('argon2id', {
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
    tagLength: expected.length,
    message: Buffer.from(password.normalize('NFC')),
    nonce: Buffer.from(salt, 'base64'),
  });
  return timingSafeEqual(tag, expected);
}
