import { expect, it } from 'vitest';
import { planRenewal, type RenewalInput } from './examine-renewal.ts';
import type { FormerRequest } from './find-renewable.ts';

const base = {
  identificationNumber: '1710034065',
  applicationType: 'NATURAL_PERSON',
  certificateType: 'TRADITIONAL_SIGNATURE',
  period: 'ONE_YEAR',
  callbackUrl: null,
} as const;
const regular = {
  ...base,
  family: 'FR',
  details: {
    email: 'rosa@correo.example',
    city: 'Quito',
    companyRuc: '1790012345001',
    isIdentityCertificate: true,
  },
} as unknown as FormerRequest;
const linked = {
  ...base,
  family: 'TV',
  details: { email: 'rosa@correo.example', applicantName: 'Rosa' },
} as unknown as FormerRequest;

function plan(
  former: FormerRequest,
  given: Partial<RenewalInput> = {},
  stored: readonly (string | null)[] = [],
) {
  return planRenewal(
    {
      requestId: '01a20da3-4ef5-79b5-ba6a-d34f97eba3c5',
      former,
      given: { referenceTransaction: 'TX-2', fields: {}, files: [], ...given },
      renewalNumber: 1,
      supersedes: false,
    },
    stored.map((field) => ({ field, mediaType: 'image/png' })),
  );
}

const bundle = (...fields: (string | undefined)[]) => ({
  key: 'sealed',
  items: fields.map((field) => ({
    evidenceId: crypto.randomUUID(),
    ...(field === undefined ? {} : { field }),
  })),
  errors: [],
});

it('has the former’s data under the names of its family’s body, and what is given in their place', () => {
  const { input } = plan(regular, { fields: { emailAddress: 'new@correo.example', period: 'TWO_YEARS' } });
  expect(input.fields).toEqual({
    identificationNumber: '1710034065',
    applicationType: 'NATURAL_PERSON',
    period: 'TWO_YEARS',
    city: 'Quito',
    companyRuc: '1790012345001',
    isIdentityCertificate: true,
    emailAddress: 'new@correo.example',
    referenceTransaction: 'TX-2',
  });
});

it('never replaces who and what is certified, nor takes what is of another family', () => {
  const fields = {
    applicantName: 'Eva',
    certificateType: 'TRANSACTIONAL_SIGNATURE',
    emailAddress: 'x@y.example',
  };
  expect(plan(linked, { fields }).input.fields).toEqual({
    ...{ identificationNumber: '1710034065', applicationType: 'NATURAL_PERSON', period: 'ONE_YEAR' },
    ...{ certificateType: 'TRADITIONAL_SIGNATURE', email: 'rosa@correo.example', applicantName: 'Rosa' },
    referenceTransaction: 'TX-2',
  });
});

it('takes over the attachments that were not sent anew', () => {
  const stored = ['identificationFront', 'identificationSelfie'];
  const files = [{ field: 'identificationSelfie', mediaType: 'image/jpeg' }];
  const evidence = bundle('identificationSelfie', undefined);
  const { input, carried } = plan(regular, { files, evidence }, stored);
  expect(carried.map(({ field }) => field)).toEqual(['identificationFront']);
  expect(input.files).toEqual([
    { field: 'identificationFront', mediaType: 'image/png' },
    { field: 'identificationSelfie', mediaType: 'image/jpeg' },
  ]);
  expect(input.evidence?.items.map(({ field }) => field)).toEqual(['identificationSelfie']);
});

it('replaces the list of evidences as a whole', () => {
  expect(plan(linked, {}, [null, null]).carried).toHaveLength(2);
  const { input, carried } = plan(linked, { evidence: bundle(undefined) }, [null, null]);
  expect([input.evidence?.items.length, carried.length]).toEqual([1, 0]);
});

it('takes a password where the family does', () => {
  expect(plan(linked, { sealedPassword: 'sealed' }).input).toHaveProperty('sealedPassword');
  expect(plan(regular, { sealedPassword: 'sealed' }).input).not.toHaveProperty('sealedPassword');
});
