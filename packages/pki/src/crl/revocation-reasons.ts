import { type DerNode, Malformed, readEnumerated } from '../der/read.ts';

/**
 * CRLReason (RFC 5280 §5.3.1), for revocation lists and OCSP answers alike. Left out: 7, which is unused, and
 * 8, removeFromCRL, which stands in delta lists only, and those are not made here.
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

const names: ReadonlyMap<number, RevocationReason> = new Map(
  Object.entries(revocationReasons).map(([name, code]) => [code, name as RevocationReason]),
);

/** Name of the reason in an ENUMERATED. Throws `Malformed`, also on the two that are left out. */
export function readReason(node: DerNode): RevocationReason {
  const code = readEnumerated(node);
  const name = names.get(code);
  if (name === undefined) throw new Malformed(`revocation reason ${code} is not used here`);
  return name;
}
