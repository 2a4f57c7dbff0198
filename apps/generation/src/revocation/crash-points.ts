/**
 * Points at which a test may kill this process during a revocation. After each the change is complete or absent, and the
 * previous files are served.
 */
export const revocationCrashPoints = {
  /** The new OCSP answer is signed, nothing is written. The certificate is unchanged. */
  afterAnswer: 'generation-revoke-after-answer',
  /**
   * All is committed, the caller has no answer and no CRL is signed. A repeated call finds it done, and the next CRL
   * contains it.
   */
  afterCommit: 'generation-revoke-after-commit',
} as const;
