import { createHash } from 'node:crypto';
import { hashBytes } from '../log/audit-table.ts';

/** Part of a service's keyring that signs checkpoints. */
export interface CheckpointSigner {
  /** Signs with the service's audit key, which signs nothing else. */
  signCheckpoint(claims: object): string;
}
export interface CheckpointVerifier {
  /** @throws if it is not a checkpoint, not authentic, or not signed with a known audit key of that service */
  verifyCheckpoint(
    jws: string,
    issuer: string,
  ): { readonly kid: string; readonly claims: Readonly<Record<string, unknown>> };
}

/** Signed statement of the service about the chain up to a position. */
export interface Checkpoint {
  readonly sequence: number;
  readonly hash: Buffer;
  readonly at: Date;
  readonly kid: string;
  /** SHA-256 of the previous checkpoint, so that none can be removed from the middle; undefined in the first. */
  readonly previous: string | undefined;
  readonly jws: string;
}

/** Claims of a checkpoint. Short names keep it under the 500 characters that a field of the log may have. */
interface Claims {
  readonly iat: number;
  readonly seq: number;
  readonly hash: string;
  readonly prev?: string;
}

export function digestCheckpoint(jws: string): string {
  return createHash('sha256').update(jws).digest('base64url');
}

export function signCheckpoint(
  signer: CheckpointSigner,
  content: { sequence: number; hash: Buffer; at: Date; previousJws: string | undefined },
): string {
  const { sequence, hash, at, previousJws } = content;
  const claims: Claims = {
    iat: Math.floor(at.getTime() / 1000),
    seq: sequence,
    hash: hash.toString('base64url'),
    ...(previousJws === undefined ? {} : { prev: digestCheckpoint(previousJws) }),
  };
  return signer.signCheckpoint(claims);
}

/**
 * Reads a stored checkpoint, or the reason why it is invalid. A checkpoint stored at another position than it was
 * signed for is invalid. So is one in another encoding, because two of it could exist.
 */
export function readStoredCheckpoint(
  verifier: CheckpointVerifier,
  service: string,
  { place, jws }: { readonly place: string; readonly jws: string },
): Checkpoint | Error {
  try {
    const signed = readCheckpoint(verifier, service, jws);
    if (String(signed.sequence) !== place) return new Error(`it was signed for place ${signed.sequence}`);
    const isPlain = jws
      .split('.')
      .every((part) => Buffer.from(part, 'base64url').toString('base64url') === part);
    return isPlain ? signed : new Error('it is not in the encoding in which it was signed');
  } catch (error) {
    return error as Error;
  }
}

/**
 * Reads a checkpoint.
 * @throws if it is not one of this service's, or not authentic
 */
export function readCheckpoint(verifier: CheckpointVerifier, service: string, jws: string): Checkpoint {
  const { kid, claims } = verifier.verifyCheckpoint(jws, service);
  const { iat, seq, hash, prev } = claims;
  const bytes = Buffer.from(typeof hash === 'string' ? hash : '', 'base64url');
  const isWhole = Number.isSafeInteger(seq) && Number.isSafeInteger(iat) && bytes.length === hashBytes;
  if (!isWhole || (prev !== undefined && typeof prev !== 'string')) {
    throw new TypeError('this statement is not a checkpoint of an audit log');
  }
  return {
    sequence: Number(seq),
    hash: bytes,
    at: new Date(Number(iat) * 1000),
    kid,
    previous: prev,
    jws,
  };
}
