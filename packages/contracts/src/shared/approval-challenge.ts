import { canonicalValue } from './canonical-value.ts';
import { challengeBytes } from './challenge-bytes.ts';

/** Part of a proposed change that its approver confirms, as `approvals.get` answers it. */
export interface ShownChange {
  readonly change: {
    readonly procedure: string;
    readonly input: Readonly<Record<string, unknown>>;
  };
  /** Record when the change was proposed, with its version if it has one; null for a new record. */
  readonly before: Readonly<Record<string, unknown>> | null;
}

/** A challenge does not belong to what its operator was shown. Nothing was signed. */
export class ChallengeRefused extends Error {
  override readonly name = 'ChallengeRefused';
}

/**
 * Digests procedure, input and record: SHA-256 (hex) of their canonical JSON. Services store it, and challenges start
 * with it.
 */
export async function digestApproval({ change, before }: ShownChange): Promise<string> {
  const { procedure, input } = change;
  const text = canonicalValue(JSON.parse(JSON.stringify({ procedure, input, before })));
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return toHex(new Uint8Array(hash));
}

/**
 * Verifies that a challenge belongs to the change that was shown. Call it before `navigator.credentials.get` with the
 * very object that was rendered: a relay of the calls could show one change and pass on the challenge of another.
 * @param challenge Base64url, as `approvals.passkeyOptions` answers it
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
 * Verifies that a challenge belongs to a sign-in. Call it before a sign-in by passkey: a signature that was requested
 * as a sign-in must not approve a change.
 * @param challenge Base64url, as `auth.passkeyOptions` answers it
 * @throws ChallengeRefused
 */
export function verifySignInChallenge(challenge: string): void {
  if (fromBase64url(challenge).length === challengeBytes.other) return;
  throw new ChallengeRefused('The challenge is not for a sign-in: nothing was signed');
}

function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Decodes Base64url; any other text gives no bytes. */
function fromBase64url(text: string): Uint8Array {
  if (!/^[\w-]*$/.test(text) || text.length % 4 === 1) return new Uint8Array();
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(binary, (character) => character.charCodeAt(0));
}
