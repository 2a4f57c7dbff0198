import { createFieldText, createText } from '@rubrica/contracts/error-texts/create-text';
import { describe, expect, it } from 'vitest';
import type { Person } from '../../outside/registry/registry.ts';
import { type DecisionContext, decide, type Findings } from './decide.ts';

function makePerson(overrides: Partial<Person> = {}): Findings['person'] {
  return {
    outcome: 'found',
    person: {
      birthDate: '1990-01-01',
      deceased: false,
      fingerCodeMatches: true,
      namesMatch: true,
      names: null,
      needsReview: false,
      ...overrides,
    },
  };
}
function makeFindings(overrides: Partial<Findings> = {}): Findings {
  return {
    evidenceErrors: [],
    files: null,
    person: makePerson(),
    company: null,
    ...overrides,
  };
}
function makeSubject(overrides: Partial<DecisionContext> = {}): DecisionContext {
  return {
    family: 'TV',
    applicationType: 'NATURAL_PERSON',
    companySocialReason: null,
    reviewPolicy: 'automatic',
    needsClaim: false,
    videoFromAge: null,
    today: '2026-11-21',
    ...overrides,
  };
}

describe('a validation', () => {
  it('goes on to generation when nothing is at fault, or waits for a claim', () => {
    expect(decide(makeFindings(), makeSubject())).toEqual({ trigger: 'passToGeneration' });
    expect(decide(makeFindings(), makeSubject({ needsClaim: true }))).toEqual({ trigger: 'approve' });
  });

  it.each([
    ['APPLICANT_DECEASED', { deceased: true }],
    ['APPLICANT_UNDERAGE', { birthDate: '2008-11-22' }],
  ])('refuses for good with %s', (code, person) => {
    expect(decide(makeFindings({ person: makePerson(person) }), makeSubject())).toMatchObject({
      trigger: 'refuse',
      code,
    });
  });

  it.each([
    ['FINGER_CODE_MISMATCH', { fingerCodeMatches: false }],
    ['NAME_MISMATCH', { namesMatch: false }],
  ])('fails with %s, to be corrected', (code, person) => {
    expect(decide(makeFindings({ person: makePerson(person) }), makeSubject())).toMatchObject({
      trigger: 'failValidation',
      code,
      failedStep: 'validation',
    });
  });

  it('fails for a selfie of another person in the regular family alone, to be corrected', () => {
    const findings = makeFindings({ person: makePerson({ selfieMatches: false }) });
    expect(decide(findings, makeSubject({ family: 'FR' }))).toMatchObject({
      trigger: 'failValidation',
      code: 'SELFIE_MISMATCH',
      failedStep: 'validation',
    });
    expect(decide(findings, makeSubject({ family: 'API' })).trigger).not.toBe('failValidation');
  });

  it('takes a silent registry for a fault to be retried, never for an answer', () => {
    const silent = { outcome: 'unavailable' } as const;
    for (const findings of [makeFindings({ person: silent }), makeFindings({ company: silent })])
      expect(decide(findings, makeSubject())).toMatchObject({
        trigger: 'failValidation',
        code: 'EXTERNAL_SERVICE_UNAVAILABLE',
      });
  });

  it('takes a RUC that the tax registry does not know for a fault of the RUC', () => {
    const company = { outcome: 'not-found' } as const;
    expect(decide(makeFindings({ company }), makeSubject())).toMatchObject({
      trigger: 'failValidation',
      code: 'RUC_INVALID',
    });
  });

  it('wants the company to be active, and represented by who represents it', () => {
    const company = { outcome: 'found', active: true, representedByApplicant: false } as const;
    expect(decide(makeFindings({ company }), makeSubject())).toEqual({ trigger: 'passToGeneration' });
    expect(
      decide(makeFindings({ company }), makeSubject({ applicationType: 'LEGAL_REPRESENTATIVE' })),
    ).toMatchObject({
      code: 'REPRESENTATIVE_NOT_CONFIRMED',
    });
    expect(decide(makeFindings({ company: { ...company, active: false } }), makeSubject())).toMatchObject({
      code: 'RUC_INACTIVE',
    });
  });

  it.each([
    ['Ñandú & Cía. S.A.', 'ÑANDU & CIA SA', 'passToGeneration'],
    ['Ñandú & Cía. S.A.', 'Banco Central', 'askForReview'],
    [undefined, 'Banco Central', 'passToGeneration'],
  ])('compares the company’s name of a representative: %s and %s: %s', (known, given, trigger) => {
    const company = {
      outcome: 'found',
      active: true,
      representedByApplicant: true,
      socialReason: known,
    } as const;
    const subject = makeSubject({ applicationType: 'LEGAL_REPRESENTATIVE', companySocialReason: given });
    expect(decide(makeFindings({ company }), subject).trigger).toBe(trigger);
    expect(decide(makeFindings({ company }), makeSubject({ companySocialReason: given })).trigger).toBe(
      'passToGeneration',
    );
  });

  it('sends an evidence that cannot be read back to registration, before any registry is asked', () => {
    const findings = makeFindings({
      evidenceErrors: [createFieldText('evidences[0].evidenceFile', createText('file.undecodable'))],
      person: null,
    });
    expect(decide(findings, makeSubject())).toMatchObject({
      code: 'EVIDENCE_INVALID',
      failedStep: 'registration',
    });
  });

  it('asks a person where the registry says so, or the policy of the regular family, after all else passed', () => {
    const doubtful = makeFindings({ person: makePerson({ needsReview: true }) });
    expect(decide(doubtful, makeSubject())).toEqual({
      trigger: 'askForReview',
      review: { policy: 'manual', reason: 'REGISTRY' },
    });
    const regular = makeSubject({ family: 'FR', reviewPolicy: 'four-eyes', needsClaim: true });
    expect(decide(makeFindings(), regular)).toEqual({
      trigger: 'askForReview',
      review: { policy: 'four-eyes', reason: 'POLICY' },
    });
    const faulty = makeFindings({ person: makePerson({ namesMatch: false }) });
    expect(decide(faulty, regular)).toMatchObject({ code: 'NAME_MISMATCH' });
  });
});
