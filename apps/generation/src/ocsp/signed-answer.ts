/** An OCSP answer about one certificate, as it is kept. */
export interface SignedAnswer {
  /** Of the CertID that was asked with: the answer repeats it. */
  readonly hashAlgorithm: string;
  readonly der: Uint8Array;
  readonly thisUpdate: Date;
  readonly nextUpdate: Date;
}
