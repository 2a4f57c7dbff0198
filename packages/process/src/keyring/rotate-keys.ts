import { type GeneratedKeys, generateJwks } from './generate-keys.ts';
import { isEnded, type KeyUse, usesOf } from './key-files.ts';

/** A step of a rotation that would stop what runs. Said to the person who wanted it. */
export class KeyRotationError extends Error {}

/**
 * First step: a new key stands behind the others, in both files. Nothing is sealed to it or signed by it, and all who
 * read the files again can open and verify it.
 */
export function addKey(
  set: GeneratedKeys,
  service: string,
  use: KeyUse,
): { set: GeneratedKeys; kid: string } {
  if (!usesOf(service).includes(use)) throw new KeyRotationError(`${service} has no keys of use "${use}"`);
  const { secret, open } = generateJwks(service, use);
  return {
    kid: secret.kid,
    set: {
      privateJwks: { keys: [...set.privateJwks.keys, secret] },
      publicJwks: { keys: [...set.publicJwks.keys, ...open] },
    },
  };
}

/** Second step, once every process has read the first: from now on this key seals, signs or makes MACs. The former ones still open. */
export function useKey(set: GeneratedKeys, kid: string): GeneratedKeys {
  const isMac = set.privateJwks.keys.some((key) => key.kid === kid && key.use === 'mac' && !isEnded(key));
  for (const { keys } of isMac ? [] : [set.privateJwks, set.publicJwks]) {
    // Half of the first step was done: nobody could verify what it signs.
    if (!keys.some((key) => key.kid === kid)) throw new KeyRotationError(`${kid} is not in both files`);
  }
  return {
    privateJwks: { keys: firstOf(set.privateJwks.keys, kid) },
    publicJwks: { keys: firstOf(set.publicJwks.keys, kid) },
  };
}

/**
 * Last step: nothing that this key made is taken any more. Of a key for the audit log the public half stays; a key for MACs stays
 * with the time of its end, for the audit entries that were written before.
 */
export function endKey(set: GeneratedKeys, kid: string, now = new Date()): GeneratedKeys {
  const key = set.privateJwks.keys.find((one) => one.kid === kid);
  const use = key?.use ?? set.publicJwks.keys.find((one) => one.kid === kid)?.use;
  if (use === undefined) throw new KeyRotationError(`there is no key ${kid}`);
  const current = set.privateJwks.keys.find((one) => one.use === use);
  if (current?.kid === kid) throw new KeyRotationError(`${kid} is in use; let another take its place first`);
  const kept = set.privateJwks.keys.flatMap((one) => {
    if (one.kid !== kid) return [one];
    return one.use === 'mac' ? [{ ...one, ended: one.ended ?? now.toISOString() }] : [];
  });
  return {
    privateJwks: { keys: kept },
    publicJwks: { keys: set.publicJwks.keys.filter((one) => one.kid !== kid || one.use === 'audit') },
  };
}

function firstOf<Key extends { kid: string }>(keys: readonly Key[], kid: string): Key[] {
  return [...keys.filter((key) => key.kid === kid), ...keys.filter((key) => key.kid !== kid)];
}
