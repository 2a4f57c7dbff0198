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
