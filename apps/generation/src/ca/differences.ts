import {
  type KeyAlgorithm,
  keyAlgorithmOf,
  nameValue,
  type ParsedName,
  type ParsedPublicKey,
} from '@rubrica/pki';
import { CeremonyError } from './ceremony.ts';

/** What may differ from authority to authority only where an operator says so. */
export const differences = ['name', 'key-type'] as const;
export type Difference = (typeof differences)[number];

/** What all authorities of an operator have in common. */
export interface AuthorityTraits {
  readonly organization: string;
  /** What the common name begins with. */
  readonly commonName: string;
  readonly keyAlgorithm: KeyAlgorithm | undefined;
}

export function traitsOf(of: { subject: ParsedName; publicKey: ParsedPublicKey }): AuthorityTraits {
  const commonName = nameValue(of.subject, 'commonName') ?? '';
  return {
    organization: nameValue(of.subject, 'organizationName') ?? '',
    commonName: commonName.replace(/ (?:Root CA|Issuing CA(?: \d+)?)$/, ''),
    keyAlgorithm: keyAlgorithmOf(of.publicKey),
  };
}

/**
 * An authority that is called otherwise than the one before it, or has a key of another kind, is nearly always a
 * setting that was forgotten, and its certificate cannot be taken back.
 * @throws CeremonyError that names what differs
 */
export function refuseDifferences(
  { former, formerName, next }: { former: AuthorityTraits; formerName: string; next: AuthorityTraits },
  mayDiffer: readonly Difference[],
): void {
  const shown = ({ organization, commonName }: AuthorityTraits) => `O=${organization}, CN=${commonName} …`;
  const told: Record<Difference, [before: string, after: string]> = {
    name: [shown(former), shown(next)],
    'key-type': [former.keyAlgorithm ?? 'unknown', next.keyAlgorithm ?? 'unknown'],
  };
  const lines = differences
    .filter((difference) => !mayDiffer.includes(difference) && told[difference][0] !== told[difference][1])
    .map((difference) => {
      const [before, after] = told[difference];
      return `The ${difference} would be "${after}", where ${formerName} has "${before}" (--may-differ ${difference}).`;
    });
  if (lines.length === 0) return;
  throw new CeremonyError(
    `${lines.join('\n    ')}\n    Correct CA_ORGANIZATION, CA_COMMON_NAME and CA_KEY_ALGORITHM, or say that it is meant.`,
  );
}
