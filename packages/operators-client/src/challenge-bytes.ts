// Generated from packages/contracts by scripts/generate.ts. Do not edit.

/** Lengths, in bytes, of the challenges that a passkey signs. */
export const challengeBytes = {
  /** SHA-256 of the change, at the start of an approval challenge. */
  digest: 32,
  /** Random bytes after the digest: a signature is not valid for an equal change that is proposed later. */
  random: 16,
  /** Length of a challenge for a sign-in or an enrolment, all of it random. */
  other: 32,
} as const;
