// Made from packages/contracts by scripts/generate.ts: change it there.

/** Lengths of the challenges that a passkey signs. */
export const challengeBytes = {
  /** SHA-256 of the change, at the start of a challenge for an approval. */
  digest: 32,
  /** Random bytes behind it: a signature does not count for an equal change that is proposed later. */
  random: 16,
  /** Every other challenge, all of it random: for a sign-in or an enrolment. */
  other: 32,
} as const;
