import type { Extension } from '../../src/certificate/extensions.ts';
import { readNode } from '../../src/der/read.ts';
import * as der from '../../src/der/write.ts';
import type { LintExpectation } from '../../src/lint/rule.ts';
import { parsed, type TestAuthority } from '../fixtures.ts';
import { type CertificateParts, rebuild, withExtension } from '../rebuild.ts';

/**
 * The certificate a case begins with: a subscriber's with a P-256 or an RSA key, or with identity fields as extensions or
 * as other names; an issuing authority's, a root's, a responder's.
 */
export type Kind = 'subscriber' | 'rsa' | 'identified' | 'named' | 'authority' | 'root' | 'responder';

/** Makes another certificate from one without a finding. `issuer` signed it. */
export type Change = (good: Uint8Array, issuer: TestAuthority) => Uint8Array;

/** One good and one bad certificate of a rule. The good one has no finding at all. */
export type LintCase = {
  kind: Kind;
  good: Change;
  /** Breaks the rule of this case and those in `also`, and no other. */
  bad: Change;
  also: readonly string[];
  /** What the bad one is held against, made from what the good one is. */
  expected: (expected: LintExpectation, issuer: TestAuthority) => LintExpectation;
};
export type LintCases = Readonly<Record<string, LintCase>>;

type Choices = Partial<Omit<LintCase, 'kind' | 'bad'>>;

/** `good` is the certificate as it is where it has what the rule looks at; else a case brings its own. */
const caseOf =
  (kind: Kind) =>
  (bad: Change, choices: Choices = {}): LintCase => ({
    kind,
    good: (certificate) => certificate,
    bad,
    also: [],
    expected: (expected) => expected,
    ...choices,
  });
export const subscriber = caseOf('subscriber');
export const rsa = caseOf('rsa');
export const identified = caseOf('identified');
export const named = caseOf('named');
export const authority = caseOf('authority');
export const responder = caseOf('responder');

export const parts =
  (change: Partial<CertificateParts>): Change =>
  (good) =>
    rebuild(good, change);

export const drop =
  (oid: string): Change =>
  (good) =>
    rebuild(
      good,
      withExtension(oid, () => undefined),
    );

/** In the place of the extension of this type. */
export const replace =
  (made: Extension): Change =>
  (good) =>
    rebuild(
      good,
      withExtension(made.oid, () => made),
    );

export const add =
  (made: Extension): Change =>
  (good) =>
    rebuild(good, (extensions) => [...extensions, made]);

/** The extension with other contents, its criticality kept. */
export const revalue =
  (oid: string, value: Uint8Array): Change =>
  (good) =>
    rebuild(
      good,
      withExtension(oid, (found) => ({ ...found, value })),
    );

export const recritical =
  (oid: string): Change =>
  (good) =>
    rebuild(
      good,
      withExtension(oid, (found) => ({ ...found, critical: !found.critical })),
    );

/** One attribute of the subject with other contents, DER, or without it. */
export const attribute =
  (type: string, value: Uint8Array | undefined): Change =>
  (good) => {
    const view = parsed(good);
    const rdns = readNode(view.subject.raw).children.flatMap((rdn, index) => {
      const found = view.subject.attributes[index];
      if (found?.type !== type) return [rdn.raw];
      return value === undefined ? [] : [der.encodeSet(der.sequence(der.oid(found.oid), value))];
    });
    return rebuild(good, { subject: der.sequence(...rdns) });
  };

/** One more attribute at the end of the subject. */
export const addAttribute =
  (oid: string, value: Uint8Array): Change =>
  (good) => {
    const rdns = readNode(parsed(good).subject.raw).children.map(({ raw }) => raw);
    const added = der.encodeSet(der.sequence(der.oid(oid), value));
    return rebuild(good, { subject: der.sequence(...rdns, added) });
  };
