import { validationChecks } from '@rubrica/contracts/rest/transactional';
import { validationStatuses } from '@rubrica/contracts/shared/enumerations';
import { errorCodes } from '@rubrica/contracts/shared/errors';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PersonAnswer } from '../../outside/registry/registry.ts';
import { decide } from './decide.ts';
import { type CheckedRecord, checkByErrorCode, toValidationResults } from './to-validation-results.ts';

const records: fc.Arbitrary<CheckedRecord> = fc.record({
  validationStatus: fc.constantFrom(...validationStatuses),
  errorCode: fc.option(fc.constantFrom(...errorCodes)),
  failedCheck: fc.constant(null),
  hasCompany: fc.boolean(),
});
function holds(rule: (record: CheckedRecord) => void) {
  return fc.assert(fc.property(records, rule));
}
function failedIn(record: CheckedRecord) {
  return toValidationResults(record).filter(({ result }) => result === 'FAILED');
}

describe('the results of the checks', () => {
  it('stand in the order of the checks, each once, the company where one was given', () => {
    holds((record) => {
      const named = toValidationResults(record).map(({ check }) => check);
      const isCompanys = record.errorCode !== null && checkByErrorCode[record.errorCode] === 'COMPANY';
      const expected = validationChecks.filter((check) => check !== 'COMPANY' || record.hasCompany);
      if (record.hasCompany || !isCompanys) expect(named).toEqual(expected);
    });
  });

  it('have passed where the validation was passed, and are pending where it has not come to an end', () => {
    holds((record) => {
      const { validationStatus } = record;
      const all = (result: string) => toValidationResults(record).every((one) => one.result === result);
      if (validationStatus === 'COMPLETED' || validationStatus === 'MANUALLY_VALIDATING')
        expect(all('PASSED')).toBe(true);
      if (validationStatus === 'PENDING' || validationStatus === 'AUTOMATICALLY_VALIDATING')
        expect(all('PENDING')).toBe(true);
    });
  });

  it('name one failure at most, only where the validation failed, with the code of the record', () => {
    holds((record) => {
      const failed = failedIn(record);
      expect(failed.length).toBeLessThanOrEqual(1);
      if (failed.length > 0) expect(['ERROR', 'REFUSED']).toContain(record.validationStatus);
      for (const { code } of failed) expect(code).toBe(record.errorCode);
      for (const { result, code } of toValidationResults(record))
        expect(code === null).toBe(result !== 'FAILED');
    });
  });

  it('have passed before a failure and are pending after it', () => {
    holds((record) => {
      const results = toValidationResults(record).map(({ result }) => result);
      const place = results.indexOf('FAILED');
      if (place < 0) return;
      expect(results.slice(0, place).every((result) => result === 'PASSED')).toBe(true);
      expect(results.slice(place + 1).every((result) => result === 'PENDING')).toBe(true);
    });
  });

  it('have passed, all of them, where only a person could refuse', () => {
    const record = { validationStatus: 'REFUSED', errorCode: 'REVIEW_REJECTED', failedCheck: null } as const;
    const results = toValidationResults({ ...record, hasCompany: true });
    expect(new Set(results.map(({ result }) => result))).toEqual(new Set(['PASSED']));
  });
});

const person = {
  birthDate: '1990-01-01',
  deceased: false,
  fingerCodeMatches: true,
  namesMatch: true,
  names: null,
  needsReview: false,
};
const found: PersonAnswer = { outcome: 'found', person };
function whose(change: Partial<typeof person>): PersonAnswer {
  return {
    outcome: 'found',
    person: { ...person, ...change },
  };
}
const company = { outcome: 'found', active: true, representedByApplicant: true } as const;

describe('the check that failed', () => {
  it.each([
    ['the identity registry is down', { outcome: 'unavailable' }, company, 'IDENTITY'],
    ['nobody has that number', { outcome: 'not-found' }, company, 'IDENTITY'],
    ['the applicant is dead', whose({ deceased: true }), company, 'VITAL_STATUS'],
    ['the applicant is a child', whose({ birthDate: '2020-01-01' }), company, 'AGE'],
    ['the finger code is another', whose({ fingerCodeMatches: false }), company, 'FINGER_CODE'],
    ['the names are others', whose({ namesMatch: false }), company, 'NAMES'],
    ['the tax registry is down', found, { outcome: 'unavailable' }, 'COMPANY'],
    ['nobody has that RUC', found, { outcome: 'not-found' }, 'COMPANY'],
    ['the company is inactive', found, { ...company, active: false }, 'COMPANY'],
  ] as const)('is the one that the decision was about: %s', (_what, personAnswer, companyAnswer, check) => {
    const decision = decide(
      { evidenceErrors: [], files: null, person: personAnswer, company: companyAnswer },
      {
        family: 'FT',
        reviewPolicy: 'automatic',
        applicationType: 'NATURAL_PERSON',
        companySocialReason: null,
        needsClaim: false,
        videoFromAge: null,
        today: '2026-11-21',
      },
    );
    if (!('code' in decision)) throw new Error('the decision names no code');
    const results = toValidationResults({
      validationStatus: decision.trigger === 'refuse' ? 'REFUSED' : 'ERROR',
      errorCode: decision.code,
      failedCheck: ('check' in decision && decision.check) || null,
      hasCompany: true,
    });
    const failed = results.filter(({ result }) => result === 'FAILED');
    expect(failed).toEqual([{ check, result: 'FAILED', code: decision.code }]);
  });
});
