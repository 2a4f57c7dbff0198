import { type PersonType, type SignatureType, subscriberProfile } from '@rubrica/pki';
import { expect, it } from 'vitest';
import { buildPublication } from './publication.ts';

const people: PersonType[] = ['NATURAL_PERSON', 'NATURAL_PERSON_WITH_RUC', 'LEGAL_REPRESENTATIVE'];
const signatures: SignatureType[] = ['TRADITIONAL_SIGNATURE', 'TRANSACTIONAL_SIGNATURE'];

it('numbers identity fields, where no arc is set for them, where no policy is', () => {
  const { policyArc, identityFields } = buildPublication(
    {
      address: { pki: 'http://pki.example.test' },
      profile: {
        policyArc: '1.3.6.1.4.1.32473.1',
        documentSigning: false,
        identityFields: { form: 'extensions', named: [] },
      },
    },
    'issuing',
    1,
  );
  expect(identityFields.arc).toBe('1.3.6.1.4.1.32473.1.3');
  const policies = people.flatMap((person) =>
    signatures.map((signature) => `${policyArc}.${subscriberProfile(person, signature).policy}`),
  );
  expect(policies.filter((policy) => policy.startsWith(`${identityFields.arc}.`))).toEqual([]);
});
