import { type DerNode, Malformed, readEnumerated } from '../der/read.ts';

/**
 * CRLReason (RFC 5280 §5.3.1), for revocation lists and OCSP answers. Omitted: 7, which is unused, and 8,
 * removeFromCRL, which occurs in delta lists only.
 */
export const revocationReasons = {
  unspecified: 0,
  keyCompromise: 1,
  cACompromise: 2,
  affiliationChanged: 3,
  superseded: 4,
  cessationOfOperation: 5,
  certificateHold: 6,
  privilegeWithdrawn: 9,
  aACompromise: 10,
} as const;
export type RevocationReason = keyof typeof revocationReasons;

/** Reasons of the entries of a list; in a delta list also that the certificate is valid again. */
export const entryReasons = { ...revocationReasons, removeFromCRL: 8 } as const;
export type EntryReason = keyof typeof entryReasons;

const names: ReadonlyMap<number, EntryReason> = new Map(
  Object.entries(entryReasons).map(([name, code]) => [code, name as EntryReason]),
);

/** Reads the name of the reason in an ENUMERATED. Throws `Malformed`, also on the two omitted values. */
export function readReason(node: DerNode): RevocationReason {
  const name = readEntryReason(node);
  if (name === 'removeFromCRL') throw new Malformed('removeFromCRL is no reason of a revocation');
  return name;
}

/** Reads the name of the reason of a list's entry. */
export function readEntryReason(node: DerNode): EntryReason {
  const code = readEnumerated(node);
  const name = names.get(code);
  if (name === undefined) throw new Malformed(`revocation reason ${code} is not used here`);
  return name;
}
