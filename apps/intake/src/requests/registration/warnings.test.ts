import { describe, expect, it } from 'vitest';
import type { Fields } from './rules.ts';
import { findWarnings } from './warnings.ts';

const context = {
  now: new Date('2026-11-21T12:00:00.500Z'),
  timeZone: 'America/Guayaquil',
  issuerEnd: undefined,
};
function codes(fields: Fields) {
  return findWarnings(fields, context).map(({ code }) => code);
}

describe('a RUC whose check digit does not match', () => {
  it('is a warning', () => {
    expect(codes({ companyRuc: '1793213150001' })).toEqual(['RUC_CHECK_DIGIT']);
    expect(codes({ companyRuc: '1792060346001' })).toEqual([]);
  });
});

describe('an appointment', () => {
  const representative = (expirationDateAppointment: string, overrides: Record<string, string> = {}) => ({
    applicationType: 'LEGAL_REPRESENTATIVE',
    period: 'ONE_YEAR',
    expirationDateAppointment,
    ...overrides,
  });

  it('that ends before the period is a warning which quotes it', () => {
    expect(findWarnings(representative('2027-11-20'), context)).toEqual([
      {
        text: expect.objectContaining({ id: 'request.cappedByAppointment' }),
        code: 'VALIDITY_CAPPED',
        field: 'expirationDateAppointment',
        message:
          'The certificate will end with the appointment, expirationDateAppointment "2027-11-20", before a period of ONE_YEAR is over',
      },
    ]);
  });

  it.each([
    // The period ends at 06:59:59 of 21 November 2027 in Guayaquil, that second included.
    ['2027-11-21 06:59:58', ['VALIDITY_CAPPED']],
    ['2027-11-21 06:59:59', []],
    ['2027-11-21', []],
    ['2030-01-01', []],
  ])('that ends on %s gives %j', (end, expected) => {
    expect(codes(representative(end))).toEqual(expected);
  });

  it('is of no account for a shorter period, or for an applicant who represents no company', () => {
    expect(codes(representative('2027-01-31', { period: 'ONE_MONTH' }))).toEqual([]);
    expect(codes(representative('2027-01-31', { applicationType: 'NATURAL_PERSON' }))).toEqual([]);
  });
});

describe('an issuer', () => {
  const warned = (issuerEnd: string, fields: Fields = {}) =>
    findWarnings(
      { applicationType: 'NATURAL_PERSON', period: 'ONE_YEAR', ...fields },
      { ...context, issuerEnd: new Date(issuerEnd) },
    ).map(({ code, message }) => `${code}: ${message}`);

  it('that ends before the period is a warning', () => {
    expect(warned('2027-06-01T00:00:00Z')).toEqual([
      'VALIDITY_CAPPED: The certificate will end with its issuer, on 2027-06-01T00:00:00.000Z, before a period of ONE_YEAR is over',
    ]);
  });

  it('that ends with the period or later is none', () => {
    expect(warned('2027-11-21T11:59:59Z')).toEqual([]);
  });

  it('is measured against a week where no period was given', () => {
    const until = (issuerEnd: string) => ({ ...context, issuerEnd: new Date(issuerEnd) });
    expect(findWarnings({}, until('2026-11-25T00:00:00Z'))).toHaveLength(1);
    expect(findWarnings({}, until('2026-12-25T00:00:00Z'))).toEqual([]);
  });

  it('is named, or the appointment is: whichever ends first', () => {
    const representative = {
      applicationType: 'LEGAL_REPRESENTATIVE',
      expirationDateAppointment: '2027-05-01',
    };
    expect(warned('2027-06-01T00:00:00Z', representative)).toEqual([
      expect.stringContaining('the appointment'),
    ]);
    expect(warned('2027-04-01T00:00:00Z', representative)).toEqual([expect.stringContaining('its issuer')]);
  });
});

describe('text that looks like a decoding error', () => {
  it('is a warning for each field, which quotes that part alone', () => {
    const found = findWarnings(
      { applicantLastName: 'MuÃ±oz', companySocialReason: 'Mu&ntilde;oz S.A.', address: 'Av. Espa?a' },
      context,
    );
    expect(found.map(({ code, field }) => `${code} ${field}`)).toEqual([
      'TEXT_DECODING applicantLastName',
      'TEXT_DECODING companySocialReason',
      'TEXT_DECODING address',
    ]);
    expect(found[0]?.message).toBe(
      'applicantLastName contains "Ã±", which looks like text decoded wrongly; send JSON in UTF-8',
    );
    expect(JSON.stringify(found)).not.toMatch(/oz|Espa/);
  });
});

describe('a password that the partner sends although the applicant would choose it', () => {
  it('is a warning that says which applies', () => {
    const [warning] = findWarnings({}, { ...context, passwordSkipsClaim: true });
    expect(warning).toMatchObject({ code: 'PASSWORD_GIVEN', field: 'password' });
    expect(warning?.message).toContain('does not claim');
    expect(findWarnings({}, { ...context, passwordSkipsClaim: false })).toEqual([]);
  });
});
