import type { KeyAlgorithm } from '../certificate/algorithms.ts';
import type { ParsedCertificate } from '../certificate/parse.ts';
import type { NameAttributeKey } from '../name/attributes.ts';
import type { KeyUsageBit } from '../profile/holder-profiles.ts';

export type LintSeverity = 'error' | 'warning';

/** What the certificate was meant to be; the rules compare with this. */
export type LintExpectation = {
  kind: 'holder' | 'authority' | 'responder';
  /** Certificate of the signing authority; absent for one that signs itself. */
  issuer: ParsedCertificate | undefined;
  requiredSubject: readonly NameAttributeKey[];
  keyUsage: readonly KeyUsageBit[];
  /** Policy that must be asserted; absent where none is asked for. */
  policy: string | undefined;
  pathLength: number | undefined;
  keyAlgorithm: KeyAlgorithm;
  rucPrefix: string;
  notAfterLimit: Date;
};

/**
 * One rule. `check` answers what is wrong, or nothing. It may throw `Malformed` while it reads an extension: that
 * becomes its finding. A new rule is a new row, with one good and one bad certificate in the tests.
 */
export type LintRule = {
  id: string;
  /** Document and section the rule comes from. */
  source: string;
  severity: LintSeverity;
  appliesTo: 'any' | LintExpectation['kind'];
  check: (certificate: ParsedCertificate, expected: LintExpectation) => string | undefined;
};

export type LintFinding = { rule: string; source: string; severity: LintSeverity; message: string };
