import { beforeAll, describe, expect, it } from 'vitest';
import {
  makeIssuing,
  makeKey,
  makeRoot,
  makeSubscriber,
  makeSubscriberCertificate,
  parsed,
  publication,
  type TestAuthority,
} from '../../test/fixtures.ts';
import type { Publication } from '../certificate/build.ts';
import { lintCertificate, subscriberExpectation } from '../lint/lint.ts';
import { nameAttributes } from '../name/attributes.ts';
import { oids } from '../oids.ts';
import { identityFields } from './identity-fields.ts';
import { type Subscriber, subscriberSubject } from './subject.ts';
import { type SubscriberProfile, subscriberProfile, subscriberProfiles } from './subscriber-profiles.ts';

let issuing: TestAuthority;
const key = makeKey();

beforeAll(async () => {
  issuing = await makeIssuing(await makeRoot());
});

interface Choices {
  subscriber?: Partial<Subscriber>;
  rucPrefix?: string;
  publication?: Partial<Publication>;
  email?: string | undefined;
}

/** A certificate of the profile for a subscriber who has everything, and what the linter says to it. */
async function issue(profile: SubscriberProfile, { rucPrefix = 'VATEC', ...choices }: Choices = {}) {
  const subscriber = makeSubscriber(choices.subscriber);
  const subject = subscriberSubject(profile, subscriber, rucPrefix);
  if (!subject.ok) throw new Error(subject.error.attribute);
  const certificate = await makeSubscriberCertificate(issuing, key, {
    profile,
    subject: subject.value.attributes,
    identityFields: identityFields(profile, subscriber, publication.identityFields.named),
    publication: { ...publication, ...choices.publication },
    ...('email' in choices && { email: choices.email }),
  });
  const expectation = subscriberExpectation({
    profile,
    issuer: issuing.parsed,
    policyArc: publication.policyArc,
    rucPrefix,
    identityFields: { ...publication.identityFields, ...choices.publication?.identityFields },
    keyAlgorithm: 'P_256',
    notAfterLimit: new Date('2028-03-01T11:59:59Z'),
  });
  return { certificate: parsed(certificate), findings: lintCertificate(certificate, expectation) };
}

describe('the profiles', () => {
  const person = ['countryName', 'localityName'];
  const subscriber = ['surname', 'givenName', 'serialNumber', 'commonName'];
  const company = ['organizationName', 'organizationIdentifier', 'title'];

  it.each([
    ['NATURAL_PERSON', 'TRADITIONAL_SIGNATURE', '1.1.1', [...person, ...subscriber]],
    ['NATURAL_PERSON', 'TRANSACTIONAL_SIGNATURE', '1.1.2', [...person, ...subscriber]],
    [
      'NATURAL_PERSON_WITH_RUC',
      'TRADITIONAL_SIGNATURE',
      '1.2.1',
      [...person, 'organizationIdentifier', ...subscriber],
    ],
    [
      'NATURAL_PERSON_WITH_RUC',
      'TRANSACTIONAL_SIGNATURE',
      '1.2.2',
      [...person, 'organizationIdentifier', ...subscriber],
    ],
    ['LEGAL_REPRESENTATIVE', 'TRADITIONAL_SIGNATURE', '1.3.1', [...person, ...company, ...subscriber]],
    ['LEGAL_REPRESENTATIVE', 'TRANSACTIONAL_SIGNATURE', '1.3.2', [...person, ...company, ...subscriber]],
  ] as const)('say of %s and %s: policy %s', (personType, signature, policy, subject) => {
    expect(subscriberProfile(personType, signature)).toEqual({
      person: personType,
      signature,
      policy,
      subject,
      keyUsage: ['digitalSignature', 'nonRepudiation'],
      endsWithAppointment: personType === 'LEGAL_REPRESENTATIVE',
    });
  });

  it('are six', () => {
    expect(subscriberProfiles).toHaveLength(6);
  });
});

describe.each(
  subscriberProfiles.map((profile) => [`${profile.person} ${profile.signature}`, profile] as const),
)('a certificate of %s', (_, profile) => {
  it('carries the attributes of its profile in their order and no fault', async () => {
    const { certificate, findings } = await issue(profile);
    expect(findings).toEqual([]);
    expect(certificate.subject.attributes.map(({ type }) => type)).toEqual(profile.subject);
  });

  it('has no fault with names as long as they may be, or longer', async () => {
    const long = 'ÑANDÚ '.repeat(40);
    const { certificate, findings } = await issue(profile, {
      subscriber: {
        givenNames: long,
        firstSurname: 'Ñ'.repeat(100),
        secondSurname: 'É'.repeat(100),
        organizationName: long,
        title: long,
        locality: long,
      },
    });
    expect(findings).toEqual([]);
    for (const { type, value } of certificate.subject.attributes) {
      expect([...value].length).toBeLessThanOrEqual(type ? nameAttributes[type].maxLength : 0);
    }
  });

  it('has no fault without locality, e-mail, purpose and practice statement, or with all of them', async () => {
    const bare = await issue(profile, {
      subscriber: { locality: undefined },
      email: undefined,
      publication: { documentSigning: false },
    });
    const full = await issue(profile, { publication: { cpsUri: 'https://pki.example.test/cps' } });
    expect([...bare.findings, ...full.findings]).toEqual([]);
    const optional: string[] = [oids.subjectAltName, oids.extKeyUsage];
    const found = ({ certificate }: typeof bare) =>
      certificate.extensions.map(({ oid }) => oid).filter((oid) => optional.includes(oid));
    expect(found(bare)).toEqual([]);
    expect(found(full).toSorted()).toEqual(optional.toSorted());
  });

  it('takes its tax number under the prefix that is configured', async () => {
    const { findings } = await issue(profile, { rucPrefix: 'XR:EC' });
    expect(findings).toEqual([]);
  });
});
