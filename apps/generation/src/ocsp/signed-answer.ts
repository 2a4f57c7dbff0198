import type { OcspHashAlgorithm, OcspHashParameters } from '@rubrica/pki';

/** Stored OCSP answer about one certificate. */
export interface SignedAnswer {
  /** Form of the requested CertID, by `answerName`; the answer repeats it. */
  readonly hashAlgorithm: string;
  readonly der: Uint8Array;
  readonly thisUpdate: Date;
  readonly nextUpdate: Date;
}

/**
 * Names the form of a CertID under which an answer is stored. With NULL parameters it is the hash alone, as in earlier
 * releases that supported no other.
 */
export function formatCertIdForm(form: { hash: OcspHashAlgorithm; parameters: OcspHashParameters }): string {
  return form.parameters === 'null' ? form.hash : `${form.hash} without parameters`;
}
