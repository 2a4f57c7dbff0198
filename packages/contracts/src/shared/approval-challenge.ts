import { canonicalValue } from './canonical-value.ts';
import { challengeBytes } from './challenge-bytes.ts';

/** The part of a proposed change that its approver confirms; an answer of `approvals.get` has it. */
export interface ShownChange {
  readonly change: {
    readonly procedure: string;
    readonly input: Readonly<Record<string, unknown>>;
  };
  /** The record when the change was proposed, with its version where it has one; null for a new record. */
  readonly before: Readonly<Record<string, unknown>> | null;
}

/** A challenge that is not for what its operator was shown. Nothing was signed. */
export class ChallengeRefused extends Error {
  override readonly name = 'ChallengeRefused';
}

/** SHA-256 (hex) of the canonical JSON of procedure, input and record. Services store it, and challenges start with it. */
export async function digestApproval({ change, before }: ShownChange): Promise<string> {
  const { procedure, input } = change;
  const text = canonicalValue(JSON.parse(JSON.stringify({ procedure, input, before })));
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return toHex(new Uint8Array(hash));
}

/**
 * Call it before `navigator.credentials.get` with the very object that was rendered: whoever relays the calls could
 * show one change and pass on the challenge of another.
 * @param challenge Base64url, as `approvals.passkeyOptions` gives it
 * @throws ChallengeRefused
 */
export async function verifyApprovalChallenge(shown: ShownChange, challenge: string): Promise<void> {
  const bytes = fromBase64url(challenge);
  const digest = toHex(bytes.subarray(0, challengeBytes.digest));
  const isWhole = bytes.length === challengeBytes.digest + challengeBytes.random;
  if (isWhole && digest === (await digestApproval(shown))) return;
  throw new ChallengeRefused('The challenge is not for the change that was shown: nothing was signed');
}

/**
 * Call it before a sign-in by passkey: a signature that was asked for as a sign-in must not approve a change.
 * @param challenge Base64url, as `auth.passkeyOptions` gives it
 * @throws ChallengeRefused
 */
export function verifySignInChallenge(challenge: string): void {
  if (fromBase64url(challenge).length === challengeBytes.other) return;
  throw new ChallengeRefused('The challenge is not for a sign-in: nothing was signed');
}

function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** No bytes for what is no Base64url. */
function fromBase64url(text: string): Uint8Array {
  if (!/^[\w-]*$/.test(text) || text.length % 4 === 1) return new Uint8Array();
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(binary, (character) => character.charCodeAt(0));
}
