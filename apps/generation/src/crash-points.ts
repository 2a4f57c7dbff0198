/**
 * Points at which a test may kill this process during an issuance. After each there is at most one valid certificate.
 */
export const crashPoints = {
  /** Leased, nothing created. Leased again when the lease ends. */
  afterLease: 'generation-after-lease',
  /** The key was only in memory. Another one is created. */
  afterKey: 'generation-after-key',
  /** A serial number is reserved but unused. It is abandoned and never used again. */
  afterReserve: 'generation-after-reserve',
  /** The linted bytes are stored, and no signature exists. The serial number is abandoned. */
  afterIntent: 'generation-after-intent',
  /** The issuer has signed; certificate and key were only in memory. The serial number is abandoned. */
  afterSign: 'generation-after-sign',
  /** The file is built but not stored. Same outcome as after the signature. */
  afterPackage: 'generation-after-package',
  /** All is committed, the job is not acknowledged. It is redelivered and finds its certificate. */
  afterStore: 'generation-after-store',
  /** The failure is committed, the job is not acknowledged. It is redelivered and finds the failure. */
  afterFailure: 'generation-after-failure',
} as const;
export type CrashPoint = (typeof crashPoints)[keyof typeof crashPoints];

/**
 * Points at which a test may kill this process during a revocation or while it signs a CRL. Separate from issuance,
 * which every certificate passes. After each the change is complete or absent, and the previous files are served.
 */
export const revocationCrashPoints = {
  /** The new OCSP answer is signed, nothing is written. The certificate is unchanged. */
  afterAnswer: 'generation-revoke-after-answer',
  /**
   * All is committed, the caller has no answer and no CRL is signed. A repeated call finds it done, and the next CRL
   * contains it.
   */
  afterCommit: 'generation-revoke-after-commit',
  /** The CRL's number is reserved, nothing is signed. The number is lost, the lease ends, the old CRL is served. */
  crlAfterLease: 'generation-crl-after-lease',
  /** The CRL is signed but not stored. Same outcome as after the lease. */
  crlAfterSign: 'generation-crl-after-sign',
  /** The CRL is stored and served; nothing is left to do. */
  crlAfterStore: 'generation-crl-after-store',
} as const;
