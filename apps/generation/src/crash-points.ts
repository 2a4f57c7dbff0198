/** Where a test may kill this process. After each: no certificate, or one; never two live ones. */
export const crashPoints = {
  /** Leased, nothing made: leased again when the lease ends. */
  afterLease: 'generation-after-lease',
  /** The key was in memory alone: another one is made. */
  afterKey: 'generation-after-key',
  /** A serial number is taken and unused: it is abandoned and never used again. */
  afterReserve: 'generation-after-reserve',
  /** What would be signed is stored and linted, no signature exists: the serial number is abandoned. */
  afterIntent: 'generation-after-intent',
  /** The issuer has signed; certificate and key were in memory alone: the serial number is abandoned. */
  afterSign: 'generation-after-sign',
  /** The file is packed and stored nowhere: as after the signature. */
  afterPackage: 'generation-after-package',
  /** All is committed, the job is not acknowledged: it comes again and finds its certificate. */
  afterStore: 'generation-after-store',
  /** The failure is committed, the job is not acknowledged: it comes again and finds its end. */
  afterFailure: 'generation-after-failure',
} as const;
export type CrashPoint = (typeof crashPoints)[keyof typeof crashPoints];

/**
 * Where a test may kill this process while it revokes, or signs a CRL. Apart from those of issuance, which every
 * certificate passes. After each: the change is whole or did not happen, and what was published before is served.
 */
export const revocationCrashPoints = {
  /** The new OCSP answer is signed, nothing is written: the certificate is as it was. */
  afterAnswer: 'generation-revoke-after-answer',
  /** All is committed, the caller has no answer and no CRL is signed: a repeat finds it done, the next CRL has it. */
  afterCommit: 'generation-revoke-after-commit',
  /** The CRL's number is taken, nothing is signed: the number is wasted, the lease ends, the old CRL is served. */
  crlAfterLease: 'generation-crl-after-lease',
  /** The CRL is signed and stored nowhere: as after the lease. */
  crlAfterSign: 'generation-crl-after-sign',
  /** The CRL is stored: it is served, and nothing is left to do. */
  crlAfterStore: 'generation-crl-after-store',
} as const;
