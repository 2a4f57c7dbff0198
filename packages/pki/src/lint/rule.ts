import type { KeyAlgorithm } from '../certificate/algorithms.ts';
import type { ParsedCertificate } from '../certificate/parse.ts';
import type { NameAttributeKey } from '../name/attributes.ts';
import type { IdentityFieldSettings } from '../profile/identity-fields.ts';
import type { KeyUsageBit } from '../profile/subscriber-profiles.ts';

export type LintSeverity = 'error' | 'warning';

/** What the certificate was meant to be; the rules compare with this. */
export type LintExpectation = {
  kind: 'subscriber' | 'authority' | 'responder';
  /** Certificate of the signing authority; absent for one that signs itself. */
  issuer: ParsedCertificate | undefined;
  requiredSubject: readonly NameAttributeKey[];
  keyUsage: readonly KeyUsageBit[];
  /** Policy that must be asserted; absent where none is asked for. */
  policy: string | undefined;
  pathLength: number | undefined;
  keyAlgorithm: KeyAlgorithm;
  rucPrefix: string;
  /** Absent for what is no subscriber's: it may have none of them. */
  identityFields?: IdentityFieldSettings | undefined;
  notAfterLimit: Date;
};

/** What is wrong, in words; nothing where all is well. */
export type Fault = string | false | undefined;

/** May throw `Malformed` while it reads an extension: that becomes the rule's finding. */
export type Check = (certificate: ParsedCertificate, expected: LintExpectation) => Fault;

export type LintRule = {
  id: string;
  /** Document and section the rule comes from. */
  source: string;
  severity: LintSeverity;
  appliesTo: 'any' | LintExpectation['kind'];
  /** What a good certificate does, in one line. */
  about: string;
  check: Check;
};

export type LintFinding = { rule: string; source: string; severity: LintSeverity; message: string };

/** A rule without its id; an error of any certificate where it says nothing else. */
export type RuleRow = Pick<LintRule, 'source' | 'about' | 'check'> &
  Partial<Pick<LintRule, 'severity' | 'appliesTo'>>;

/** Rules from rows keyed by their ids. */
export function ruleTable(rows: Readonly<Record<string, RuleRow>>): LintRule[] {
  return Object.entries(rows).map(([id, row]) => ({ id, severity: 'error', appliesTo: 'any', ...row }));
}
