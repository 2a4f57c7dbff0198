import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  makeIssuing,
  makeKey,
  makeResponder,
  makeRoot,
  makeSubscriberCertificate,
  parsed,
  publication,
  type TestAuthority,
} from '../../test/fixtures.ts';
import type { Kind } from '../../test/lint-cases/lint-case.ts';
import { lintCases } from '../../test/lint-cases/lint-cases.ts';
import { unreadable } from '../../test/lint-cases/structure-cases.ts';
import { mutated } from '../../test/mutate.ts';
import { rebuild, withExtension } from '../../test/rebuild.ts';
import { documentSigningPurposes, ocspNoCheck } from '../certificate/extensions.ts';
import { oid, sequence, utf8String } from '../der/write.ts';
import { oids } from '../oids.ts';
import { authorityProfiles, ocspResponderProfile } from '../profile/authority-profiles.ts';
import { subscriberProfile } from '../profile/subscriber-profiles.ts';
import {
  authorityExpectation,
  blocksIssuance,
  lintCertificate,
  lintRules,
  responderExpectation,
  subscriberExpectation,
} from './lint.ts';
import type { LintExpectation } from './rule.ts';
import { notForResponders } from './rules/responder.ts';

let root: TestAuthority;
let issuing: TestAuthority;
let good: Record<Kind, Uint8Array>;
let expected: Record<Kind, LintExpectation>;

beforeAll(async () => {
  root = await makeRoot();
  issuing = await makeIssuing(root);
  good = {
    subscriber: await makeSubscriberCertificate(issuing, makeKey('ec'), { publication: plain }),
    rsa: await makeSubscriberCertificate(issuing, makeKey('rsa'), { publication: plain }),
    identified: await makeSubscriberCertificate(issuing, makeKey('ec')),
    named: await makeSubscriberCertificate(issuing, makeKey('ec'), { publication: withNames }),
    authority: issuing.certificate,
    root: root.certificate,
    responder: (await makeResponder(issuing)).certificate,
  };
  const subscriber = subscriberExpectation({
    profile: subscriberProfile('LEGAL_REPRESENTATIVE', 'TRADITIONAL_SIGNATURE'),
    issuer: issuing.parsed,
    policyArc: publication.policyArc,
    rucPrefix: 'VATEC',
    identityFields: plain.identityFields,
    keyAlgorithm: 'P_256',
    notAfterLimit: new Date('2028-03-01T11:59:59Z'),
  });
  const authority = { keyAlgorithm: 'P_256', notAfterLimit: new Date('2070-01-01T00:00:00Z') } as const;
  expected = {
    subscriber,
    rsa: { ...subscriber, keyAlgorithm: 'RSA_2048' },
    identified: { ...subscriber, identityFields },
    named: { ...subscriber, identityFields: withNames.identityFields },
    authority: authorityExpectation({
      ...authority,
      profile: authorityProfiles.issuing,
      issuer: root.parsed,
    }),
    root: authorityExpectation({ ...authority, profile: authorityProfiles.root, issuer: undefined }),
    responder: responderExpectation({
      profile: ocspResponderProfile,
      issuer: issuing.parsed,
      keyAlgorithm: 'P_256',
      notAfterLimit: new Date('2027-12-31T00:00:00Z'),
    }),
  };
});

const { identityFields } = publication;
/** Without identity fields, so that a rule of the subject is broken alone. */
const plain = { ...publication, identityFields: { ...identityFields, form: 'none' } } as const;
const withNames = { ...publication, identityFields: { ...identityFields, form: 'otherName' } } as const;

const issuerOf = (kind: Kind) => (kind === 'authority' || kind === 'root' ? root : issuing);
const broken = (der: Uint8Array, against: LintExpectation) =>
  lintCertificate(der, against)
    .map(({ rule }) => rule)
    .toSorted();

describe('the linter', () => {
  it.each(['subscriber', 'rsa', 'identified', 'named', 'authority', 'root', 'responder'] as const)(
    'finds nothing in a good certificate (%s)',
    (kind) => {
      expect(lintCertificate(good[kind], expected[kind])).toEqual([]);
    },
  );

  it('finds nothing in any profile', async () => {
    const profile = subscriberProfile('NATURAL_PERSON', 'TRANSACTIONAL_SIGNATURE');
    const subject = [
      { type: 'countryName', value: 'EC' },
      { type: 'surname', value: 'Pérez' },
      { type: 'givenName', value: 'Ana' },
      { type: 'serialNumber', value: 'IDCEC-1710034065' },
      { type: 'commonName', value: 'Ana Pérez' },
    ] as const;
    const der = await makeSubscriberCertificate(issuing, makeKey(), {
      profile,
      subject,
      email: undefined,
      identityFields: [
        { name: 'identificationNumber', value: '1710034065' },
        { name: 'givenNames', value: 'Ana' },
        { name: 'firstSurname', value: 'Pérez' },
        { name: 'country', value: 'ECUADOR' },
      ],
    });
    const wanted = { ...expected.identified, ...pickProfile(profile) };
    expect(lintCertificate(der, wanted)).toEqual([]);
    expect(lintCertificate(good.subscriber, wanted).map(({ rule }) => rule)).toContain(
      'subject_attributes_of_profile',
    );
  });

  describe('of identity fields', () => {
    const against = (changed: Partial<typeof identityFields>, kind: Kind = 'identified') =>
      broken(good[kind], { ...expected[kind], identityFields: { ...identityFields, ...changed } });

    it('wants them in the form that is configured, and none where none are', () => {
      expect(against({ form: 'otherName' })).toEqual(['identity_fields_form']);
      expect(against({ form: 'none' })).toEqual(['identity_fields_form']);
      expect(against({ form: 'extensions' }, 'named')).toEqual(['identity_fields_form']);
    });

    it('takes address and phone only where they are named', () => {
      expect(against({ named: ['address'] })).toEqual(['identity_fields_known']);
      expect(against({ named: [] })).toEqual(['identity_fields_known']);
    });

    it('knows them by their arc alone', () => {
      expect(against({ arc: '1.3.6.1.4.1.32473.1.4' })).toEqual([
        'extensions_known',
        'identity_fields_present',
      ]);
      expect(against({ arc: '1.3.6.1.4.1.32473.1.4', form: 'otherName' }, 'named')).toEqual([
        'alternative_name_kinds',
        'identity_fields_present',
      ]);
    });

    it.each([
      [1, '1710034064'],
      [2, 'MARÍA'],
      [3, 'NUÑEZ'],
      [4, 'PAZMIÑO ÑÚÑEZ'],
      [5, 'Gerente'],
      [6, 'Otra Compañía S.A.'],
      [9, 'Cuenca'],
      [10, 'Otra Compañía S.A.'],
      [11, '1790012345002'],
      [12, 'PERÚ'],
    ])('finds the field %i where it says another thing than the subject', (number, text) => {
      const other = rebuild(
        good.identified,
        withExtension(`${identityFields.arc}.${number}`, (found) => ({ ...found, value: utf8String(text) })),
      );
      expect(broken(other, expected.identified)).toEqual(['identity_fields_of_subject']);
    });
  });

  describe.each(Object.entries(lintCases))('by the rule %s', (id, { kind, ...one }) => {
    it('finds nothing in a good certificate', () => {
      const certificate = one.good(good[kind], issuerOf(kind));
      expect(lintCertificate(certificate, expected[kind])).toEqual([]);
    });

    it('finds a bad one, and nothing else in it than what comes with that', () => {
      const certificate = one.bad(good[kind], issuerOf(kind));
      const against = one.expected(expected[kind], issuerOf(kind));
      expect(broken(certificate, against)).toEqual([id, ...one.also].toSorted());
    });
  });

  it('finds id-pkix-ocsp-nocheck in a certificate that is to be checked', () => {
    const unchecked = rebuild(good.subscriber, (extensions) => [...extensions, ocspNoCheck()]);
    expect(broken(unchecked, expected.subscriber)).toEqual(['extensions_known']);
  });

  it('spares responders rules that there are', () => {
    expect([...notForResponders.difference(new Set(lintRules.map(({ id }) => id)))]).toEqual([]);
  });

  it('has a good and a bad certificate for every one of its rules', () => {
    expect(Object.keys(lintCases).toSorted()).toEqual(lintRules.map(({ id }) => id).toSorted());
  });

  it.each(Object.entries(unreadable))('refuses to read %s', (_, change) => {
    expect(broken(change(good.subscriber, issuing), expected.subscriber)).toEqual(['certificate_readable']);
  });

  it('gives every rule an id of its own and a source', () => {
    expect(new Set(lintRules.map(({ id }) => id)).size).toBe(lintRules.length);
    expect(lintRules.filter(({ source }) => source.length < 5)).toEqual([]);
  });

  it.each(documentSigningPurposes)('wants all purposes of document signing, not all but %s', (one) => {
    const others = documentSigningPurposes.filter((purpose) => purpose !== one);
    const value = sequence(...others.map(oid));
    const lacking = rebuild(
      good.subscriber,
      withExtension(oids.extKeyUsage, (found) => ({ ...found, value })),
    );
    expect(broken(lacking, expected.subscriber)).toEqual(['extended_key_usage_purposes']);
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
    const damaged = rebuild(good.subscriber, (extensions) =>
      extensions.map((extension) =>
        extension.oid === '2.5.29.15' ? { ...extension, value: new Uint8Array([3, 9]) } : extension,
      ),
    );
    expect(lintCertificate(damaged, expected.subscriber)).toContainEqual(
      expect.objectContaining({ rule: 'key_usage_bits', message: expect.stringMatching(/^unreadable/) }),
    );
  });

  it.each(['subscriber', 'rsa', 'identified', 'named'] as const)(
    'answers 5,000 mutated certificates with findings or a reading, never with an exception (%s)',
    (kind) => {
      fc.assert(
        fc.property(mutated(good[kind]), (bytes) => {
          expect(Array.isArray(lintCertificate(bytes, expected[kind]))).toBe(true);
        }),
        { numRuns: 5000 },
      );
    },
  );
});

function pickProfile(profile: ReturnType<typeof subscriberProfile>) {
  const { requiredSubject, policy } = subscriberExpectation({
    profile,
    issuer: parsed(issuing.certificate),
    policyArc: publication.policyArc,
    rucPrefix: 'VATEC',
    identityFields: publication.identityFields,
    keyAlgorithm: 'P_256',
    notAfterLimit: new Date(),
  });
  return { requiredSubject, policy };
}
