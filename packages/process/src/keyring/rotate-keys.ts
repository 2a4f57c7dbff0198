import { type GeneratedKeys, generateJwks } from './generate-keys.ts';
import { isEnded, type KeyUse, listKeyUses } from './key-files.ts';

/** Step of a rotation that would stop running services. The message is for the person who requested it. */
export class KeyRotationError extends Error {}

/**
 * First step: adds a new key after the others, in both files. Nothing is sealed to it or signed with it yet, and all
 * processes that read the files again can open and verify with it.
 */
export function addKey(
  set: GeneratedKeys,
  service: string,
  use: KeyUse,
): { set: GeneratedKeys; kid: string } {
  if (!listKeyUses(service).includes(use))
    throw new KeyRotationError(`${service} has no keys of use "${use}"`);
  const { secret, open } = generateJwks(service, use);
  return {
    kid: secret.kid,
    set: {
      privateJwks: { keys: [...set.privateJwks.keys, secret] },
      publicJwks: { keys: [...set.publicJwks.keys, ...open] },
    },
  };
}

/**
 * Second step, once every process has read the first: from now on this key seals, signs or creates MACs. The former
 * keys still open.
 */
export function useKey(set: GeneratedKeys, kid: string): GeneratedKeys {
  const isMac = set.privateJwks.keys.some((key) => key.kid === kid && key.use === 'mac' && !isEnded(key));
  for (const { keys } of isMac ? [] : [set.privateJwks, set.publicJwks]) {
    // Only half of the first step was done: nobody could verify its signatures.
    if (!keys.some((key) => key.kid === kid)) throw new KeyRotationError(`${kid} is not in both files`);
  }
  return {
    privateJwks: { keys: moveToFront(set.privateJwks.keys, kid) },
    publicJwks: { keys: moveToFront(set.publicJwks.keys, kid) },
  };
}

/**
 * Last step: nothing that this key created is accepted any more. The public half of an audit key stays. A key for MACs
 * stays with the time of its end, for the audit entries written before.
 */
export function endKey(set: GeneratedKeys, kid: string, now = new Date()): GeneratedKeys {
  const key = set.privateJwks.keys.find((jwk) => jwk.kid === kid);
  const use = key?.use ?? set.publicJwks.keys.find((jwk) => jwk.kid === kid)?.use;
  if (use === undefined) throw new KeyRotationError(`there is no key ${kid}`);
  const current = set.privateJwks.keys.find((jwk) => jwk.use === use);
  if (current?.kid === kid) throw new KeyRotationError(`${kid} is in use; let another take its place first`);
  const kept = set.privateJwks.keys.flatMap((jwk) => {
    if (jwk.kid !== kid) return [jwk];
    return jwk.use === 'mac' ? [{ ...jwk, ended: jwk.ended ?? now.toISOString() }] : [];
  });
  return {
    privateJwks: { keys: kept },
    publicJwks: { keys: set.publicJwks.keys.filter((jwk) => jwk.kid !== kid || jwk.use === 'audit') },
  };
}

function moveToFront<Key extends { kid: string }>(keys: readonly Key[], kid: string): Key[] {
  return [...keys.filter((key) => key.kid === kid), ...keys.filter((key) => key.kid !== kid)];
}
