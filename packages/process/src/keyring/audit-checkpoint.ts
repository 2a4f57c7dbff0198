import { verify } from 'node:crypto';
import type { NamedKey, PeerKeys } from './key-files.ts';
import { KeyringError } from './keyring-error.ts';
import { type SignedStatement, signStatement, verifyStatement } from './signed-statement.ts';

/** `typ` of a checkpoint's header. Keys of use `audit` sign nothing else, and no other key may sign it. */
const checkpointType = 'rubrica-audit+jwt';

type Peers = ReadonlyMap<string, PeerKeys>;

export function signCheckpoint(key: NamedKey, claims: object): string {
  return signStatement(key, checkpointType, claims);
}

/**
 * Verifies a checkpoint, which must be signed with a service's audit key. The identity key, with which the service
 * signs for others each second, is not enough: an attacker who steals it cannot forge history.
 *
 * @throws KeyringError `malformed`, `unknown-key`, `not-authentic`, or `wrong-use` if another known key signed it
 */
export function verifyCheckpoint(jws: string, issuer: string, peers: Peers): SignedStatement {
  const keys = new Map([[issuer, { verifying: peers.get(issuer)?.auditing ?? new Map() }]]);
  try {
    return verifyStatement(jws, { type: checkpointType, issuer }, keys);
  } catch (error) {
    throw findOtherSigner(jws, issuer, peers) ?? error;
  }
}

/**
 * Finds the known key that signed a refused checkpoint. The signature is tried, because the key id may name another
 * key.
 */
function findOtherSigner(jws: string, issuer: string, peers: Peers): KeyringError | undefined {
  const [header = '', payload = '', signature = ''] = jws.split('.');
  const signed = Buffer.from(`${header}.${payload}`);
  const bytes = Buffer.from(signature, 'base64url');
  for (const [service, { verifying, auditing }] of peers) {
    for (const [kid, key] of [...verifying, ...(service === issuer ? [] : auditing)]) {
      if (!verify(null, signed, key, bytes)) continue;
      const text = `it is signed by key ${kid} of ${service}, and only a key of ${issuer} of use "audit" may sign it`;
      return new KeyringError('wrong-use', text);
    }
  }
  return undefined;
}
