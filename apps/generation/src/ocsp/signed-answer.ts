import type { OcspHashAlgorithm, OcspHashParameters } from '@rubrica/pki';

/** An OCSP answer about one certificate, as it is kept. */
export interface SignedAnswer {
  /** Name of the form of the CertID that was asked with, by `answerName`: the answer repeats it. */
  readonly hashAlgorithm: string;
  readonly der: Uint8Array;
  readonly thisUpdate: Date;
  readonly nextUpdate: Date;
}

/** Names the form of a CertID under which an answer is kept; with NULL it is the hash alone, as in releases that knew no other. */
export function answerName(form: { hash: OcspHashAlgorithm; parameters: OcspHashParameters }): string {
  return form.parameters === 'null' ? form.hash : `${form.hash} without parameters`;
}
