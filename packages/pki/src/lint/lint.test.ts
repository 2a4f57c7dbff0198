import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  makeHolderCertificate,
  makeIssuing,
  makeKey,
  makeResponder,
  makeRoot,
  parsed,
  publication,
  type TestAuthority,
} from '../../test/fixtures.ts';
import {
  authorityDefects,
  type Defects,
  holderDefects,
  responderDefects,
  rsaDefects,
} from '../../test/lint-defects.ts';
import { mutated } from '../../test/mutate.ts';
import { rebuild } from '../../test/rebuild.ts';
import { authorityProfiles, ocspResponderProfile } from '../profile/authority-profiles.ts';
import { holderProfile } from '../profile/holder-profiles.ts';
import {
  authorityExpectation,
  blocksIssuance,
  holderExpectation,
  lintCertificate,
  lintRules,
  responderExpectation,
} from './lint.ts';
import type { LintExpectation } from './rule.ts';

let root: TestAuthority;
let issuing: TestAuthority;
let good: { holder: Uint8Array; authority: Uint8Array; rsa: Uint8Array; responder: Uint8Array };
let expected: Record<keyof typeof good, LintExpectation>;

beforeAll(async () => {
  root = await makeRoot();
  issuing = await makeIssuing(root);
  good = {
    holder: await makeHolderCertificate(issuing, makeKey('ec')),
    rsa: await makeHolderCertificate(issuing, makeKey('rsa')),
    authority: issuing.certificate,
    responder: (await makeResponder(issuing)).certificate,
  };
  const holder = holderExpectation({
    profile: holderProfile('LEGAL_REPRESENTATIVE', 'TRADITIONAL_SIGNATURE'),
    issuer: issuing.parsed,
    policyArc: publication.policyArc,
    rucPrefix: 'VATEC',
    keyAlgorithm: 'P_256',
    notAfterLimit: new Date('2028-03-01T11:59:59Z'),
  });
  expected = {
    holder,
    rsa: { ...holder, keyAlgorithm: 'RSA_2048' },
    authority: authorityExpectation({
      profile: authorityProfiles.issuing,
      issuer: root.parsed,
      keyAlgorithm: 'P_256',
      notAfterLimit: new Date('2060-01-01T00:00:00Z'),
    }),
    responder: responderExpectation({
      profile: ocspResponderProfile,
      issuer: issuing.parsed,
      keyAlgorithm: 'P_256',
      notAfterLimit: new Date('2027-12-31T00:00:00Z'),
    }),
  };
});

const findings = (der: Uint8Array, kind: keyof typeof expected) =>
  lintCertificate(der, expected[kind]).map(({ rule }) => rule);

describe('the linter', () => {
  it.each(['holder', 'authority', 'rsa', 'responder'] as const)(
    'finds nothing in a good certificate (%s)',
    (kind) => {
      expect(lintCertificate(good[kind], expected[kind])).toEqual([]);
    },
  );

  it('finds nothing in a root that signs itself', () => {
    const own = authorityExpectation({
      profile: authorityProfiles.root,
      issuer: undefined,
      keyAlgorithm: 'P_256',
      notAfterLimit: new Date('2061-01-01T00:00:00Z'),
    });
    expect(lintCertificate(root.certificate, own)).toEqual([]);
  });

  it('finds nothing in any profile', async () => {
    const profile = holderProfile('NATURAL_PERSON', 'TRANSACTIONAL_SIGNATURE');
    const subject = [
      { type: 'countryName', value: 'EC' },
      { type: 'surname', value: 'Pérez' },
      { type: 'givenName', value: 'Ana' },
      { type: 'serialNumber', value: 'IDCEC-1710034065' },
      { type: 'commonName', value: 'Ana Pérez' },
    ] as const;
    const der = await makeHolderCertificate(issuing, makeKey(), { profile, subject, email: undefined });
    const wanted = { ...expected.holder, ...pickProfile(profile) };
    expect(lintCertificate(der, wanted)).toEqual([]);
    expect(lintCertificate(good.holder, wanted).map(({ rule }) => rule)).toContain(
      'subject_attributes_of_profile',
    );
  });

  const tables: [keyof typeof expected, Defects][] = [
    ['holder', holderDefects],
    ['authority', authorityDefects],
    ['rsa', rsaDefects],
    ['responder', responderDefects],
  ];
  for (const [kind, defects] of tables) {
    it.each(Object.keys(defects))(`finds %s in a bad certificate (${kind})`, (rule) => {
      expect(findings(good[kind], kind)).not.toContain(rule);
      const bad = defects[rule]?.({ der: good[kind], issuer: kind === 'authority' ? root : issuing });
      expect(findings(bad ?? good[kind], kind)).toContain(rule);
    });
  }

  it('has a bad certificate for every one of its rules', () => {
    const covered = new Set(tables.flatMap(([, defects]) => Object.keys(defects)));
    expect(lintRules.map(({ id }) => id).filter((id) => !covered.has(id))).toEqual([]);
  });

  it('gives every rule an id of its own and a source', () => {
    expect(new Set(lintRules.map(({ id }) => id)).size).toBe(lintRules.length);
    expect(lintRules.filter(({ source }) => source.length < 5)).toEqual([]);
  });

  it('forbids the signature on an error and not on a warning', () => {
    const finding = { rule: 'r', source: 's', message: 'm' };
    expect(blocksIssuance([{ ...finding, severity: 'warning' }])).toBe(false);
    expect(
      blocksIssuance([
        { ...finding, severity: 'warning' },
        { ...finding, severity: 'error' },
      ]),
    ).toBe(true);
  });

  it('reports an extension it cannot read as a finding of the rule that needs it', () => {
    const broken = rebuild(good.holder, (extensions) =>
      extensions.map((extension) =>
        extension.oid === '2.5.29.15' ? { ...extension, value: new Uint8Array([3, 9]) } : extension,
      ),
    );
    expect(lintCertificate(broken, expected.holder)).toContainEqual(
      expect.objectContaining({ rule: 'key_usage_bits', message: expect.stringMatching(/^unreadable/) }),
    );
  });

  it('answers 5,000 mutated certificates with findings or a reading, never with an exception', () => {
    fc.assert(
      fc.property(mutated(good.holder), (bytes) => {
        expect(Array.isArray(lintCertificate(bytes, expected.holder))).toBe(true);
      }),
      { numRuns: 5000 },
    );
  });
});

function pickProfile(profile: ReturnType<typeof holderProfile>) {
  const { requiredSubject, policy } = holderExpectation({
    profile,
    issuer: parsed(issuing.certificate),
    policyArc: publication.policyArc,
    rucPrefix: 'VATEC',
    keyAlgorithm: 'P_256',
    notAfterLimit: new Date(),
  });
  return { requiredSubject, policy };
}
