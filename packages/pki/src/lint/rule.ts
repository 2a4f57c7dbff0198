import type { KeyAlgorithm } from '../certificate/algorithms.ts';
import type { ParsedCertificate } from '../certificate/parse.ts';
import type { NameAttributeKey } from '../name/attributes.ts';
import type { IdentityFieldSettings } from '../profile/identity-fields.ts';
import type { KeyUsageBit } from '../profile/subscriber-profiles.ts';

export type LintSeverity = 'error' | 'warning';

/** Intended properties of the certificate, with which the rules compare. */
export type LintExpectation = {
  kind: 'subscriber' | 'authority' | 'responder';
  /** Certificate of the signing authority; undefined for one that signs itself. */
  issuer: ParsedCertificate | undefined;
  requiredSubject: readonly NameAttributeKey[];
  keyUsage: readonly KeyUsageBit[];
  /** Policy that must be asserted; undefined if none is required. */
  policy: string | undefined;
  pathLength: number | undefined;
  keyAlgorithm: KeyAlgorithm;
  rucPrefix: string;
  /** Undefined for certificates of others than subscribers, which may have none of these fields. */
  identityFields?: IdentityFieldSettings | undefined;
  notAfterLimit: Date;
};

/** Description of a fault; no value if there is none. */
export type Fault = string | false | undefined;

/** Checks a certificate. It may throw `Malformed` while it reads an extension, which becomes the rule's finding. */
export type Check = (certificate: ParsedCertificate, expected: LintExpectation) => Fault;

export type LintRule = {
  id: string;
  /** Document and section that define the rule. */
  source: string;
  severity: LintSeverity;
  appliesTo: 'any' | LintExpectation['kind'];
  /** Property of a correct certificate, in one line. */
  about: string;
  check: Check;
};

export type LintFinding = { rule: string; source: string; severity: LintSeverity; message: string };

/** Rule without its id; by default an error for any certificate. */
export type RuleRow = Pick<LintRule, 'source' | 'about' | 'check'> &
  Partial<Pick<LintRule, 'severity' | 'appliesTo'>>;

/** Creates rules from rows keyed by their ids. */
export function ruleTable(rows: Readonly<Record<string, RuleRow>>): LintRule[] {
  return Object.entries(rows).map(([id, row]) => ({ id, severity: 'error', appliesTo: 'any', ...row }));
}
