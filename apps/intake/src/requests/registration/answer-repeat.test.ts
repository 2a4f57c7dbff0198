import { describe, expect, it } from 'vitest';
import { findDifferences } from './answer-repeat.ts';

const stored = {
  family: 'TV',
  identificationNumber: '2450010000',
  applicationType: 'NATURAL_PERSON',
  certificateType: 'TRADITIONAL_SIGNATURE',
  period: 'ONE_YEAR',
  callbackUrl: 'https://partner.example/hook',
  details: { applicantName: 'María', email: 'maria@example.com', fingerCode: 'V4333V2222' },
} as const;
const { details, family, ...columns } = stored;
const fields = { ...columns, ...details, referenceTransaction: 'TX-1' };

describe('a body under a reference that is in use', () => {
  it('differs in nothing where it is sent again', () => {
    expect(findDifferences({ family, fields: { ...fields, fingerCode: 'v4333v2222' } }, stored)).toEqual([]);
  });

  it('differs in what has another value, is missing, or is new', () => {
    const { email: _email, ...rest } = fields;
    const given = { ...rest, applicantName: 'Marta', period: 'TWO_YEARS', secondEmail: 'm@example.com' };
    expect(findDifferences({ family, fields: given }, stored)).toEqual([
      'applicantName',
      'email',
      'period',
      'secondEmail',
    ]);
  });

  it('of another family differs in that', () => {
    expect(findDifferences({ family: 'FT', fields }, stored)).toEqual(['family']);
  });

  it('is compared with nothing once the request was erased', () => {
    const erased = { ...stored, identificationNumber: '', details: {} };
    expect(findDifferences({ family, fields }, erased)).toEqual([]);
  });
});
