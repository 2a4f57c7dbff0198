/**
 * Where a test may kill this process while it revokes, or signs a CRL. Apart from those of issuance, which every
 * certificate passes. After each: the change is whole or did not happen, and what was published before is served.
 */
export const revocationCrashPoints = {
  /** The new OCSP answer is signed, nothing is written: the certificate is as it was. */
  afterAnswer: 'generation-revoke-after-answer',
  /** All is committed, nobody was told and no CRL is signed: a repeat finds it done, the next CRL has it. */
  afterCommit: 'generation-revoke-after-commit',
  /** The CRL's number is taken, nothing is signed: the number is wasted, the lease ends, the old CRL is served. */
  crlAfterClaim: 'generation-crl-after-claim',
  /** The CRL is signed and stored nowhere: as after the claim. */
  crlAfterSign: 'generation-crl-after-sign',
  /** The CRL is stored: it is served, and nothing is left to do. */
  crlAfterStore: 'generation-crl-after-store',
} as const;
export type RevocationCrashPoint = (typeof revocationCrashPoints)[keyof typeof revocationCrashPoints];
