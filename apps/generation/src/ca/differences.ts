import {
  detectKeyAlgorithm,
  type KeyAlgorithm,
  nameValue,
  type ParsedName,
  type ParsedPublicKey,
} from '@rubrica/pki';
import { CeremonyError } from './ceremony.ts';

/** Traits that may differ between authorities only where an operator allows it. */
export const differences = ['name', 'key-type'] as const;
export type Difference = (typeof differences)[number];

/** Traits that all authorities of an operator share. */
export interface AuthorityTraits {
  readonly organization: string;
  /** Prefix of the common name. */
  readonly commonName: string;
  readonly keyAlgorithm: KeyAlgorithm | undefined;
}

export function toAuthorityTraits(of: { subject: ParsedName; publicKey: ParsedPublicKey }): AuthorityTraits {
  const commonName = nameValue(of.subject, 'commonName') ?? '';
  return {
    organization: nameValue(of.subject, 'organizationName') ?? '',
    commonName: commonName.replace(/ (?:Root CA|Issuing CA(?: \d+)?)$/, ''),
    keyAlgorithm: detectKeyAlgorithm(of.publicKey),
  };
}

/**
 * Refuses a new authority whose name or key type differs from the previous one. Such a difference is nearly always a
 * forgotten setting, and a certificate cannot be taken back.
 * @throws CeremonyError that names the differences
 */
export function refuseDifferences(
  { former, formerName, next }: { former: AuthorityTraits; formerName: string; next: AuthorityTraits },
  mayDiffer: readonly Difference[],
): void {
  const formatTraits = ({ organization, commonName }: AuthorityTraits) =>
    `O=${organization}, CN=${commonName} …`;
  const values: Record<Difference, [before: string, after: string]> = {
    name: [formatTraits(former), formatTraits(next)],
    'key-type': [former.keyAlgorithm ?? 'unknown', next.keyAlgorithm ?? 'unknown'],
  };
  const lines = differences
    .filter(
      (difference) => !mayDiffer.includes(difference) && values[difference][0] !== values[difference][1],
    )
    .map((difference) => {
      const [previous, proposed] = values[difference];
      return `The ${difference} would be "${proposed}", where ${formerName} has "${previous}" (--may-differ ${difference}).`;
    });
  if (lines.length === 0) return;
  throw new CeremonyError(
    `${lines.join('\n    ')}\n    Correct CA_ORGANIZATION, CA_COMMON_NAME and CA_KEY_ALGORITHM, or say that it is meant.`,
  );
}
