/** Where a test may kill this process. After each: no certificate, or one; never two live ones. */
export const crashPoints = {
  /** Claimed, nothing made: claimed again when the lease ends. */
  afterClaim: 'generation-after-claim',
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
