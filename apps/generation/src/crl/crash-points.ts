/** Points at which a test may kill this process while it signs a CRL. After each the previous files are served. */
export const crlCrashPoints = {
  /** The CRL's number is reserved, nothing is signed. The number is lost, the lease ends, the old CRL is served. */
  crlAfterLease: 'generation-crl-after-lease',
  /** The CRL is signed but not stored. Same outcome as after the lease. */
  crlAfterSign: 'generation-crl-after-sign',
  /** The CRL is stored and served; nothing is left to do. */
  crlAfterStore: 'generation-crl-after-store',
} as const;
