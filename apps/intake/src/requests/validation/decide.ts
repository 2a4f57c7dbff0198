import { createCatalogueText, createText } from '@rubrica/contracts/error-texts/create-text';
import type { ErrorText } from '@rubrica/contracts/error-texts/error-text';
import type { ValidationCheck } from '@rubrica/contracts/rest/transactional';
import type { ApplicationType, Family, ReviewPolicy } from '@rubrica/contracts/shared/enumerations';
import type { ErrorCode } from '@rubrica/contracts/shared/errors';
import type { CompanyAnswer, PersonAnswer } from '../../outside/registry/registry.ts';
import { ageOn } from '../request/age-on.ts';
import { type NeededReview, neededReview } from '../request/needed-review.ts';
import { type Passed, passed } from '../request/passed.ts';
import type { FailedStep } from '../request/state-machine.ts';
import type { FileFault } from './judge-files.ts';

export interface Findings {
  readonly evidenceErrors: readonly ErrorText[];
  readonly files: FileFault | null;
  readonly person: PersonAnswer | null;
  readonly company: CompanyAnswer | null;
}

export interface Subject {
  readonly family: Family;
  /** The partner's. */
  readonly reviewPolicy: ReviewPolicy;
  readonly applicationType: ApplicationType;
  /** Name of the company that a representative acts for. */
  readonly companySocialReason: string | null;
  readonly needsClaim: boolean;
  /** From this age on a video is needed; null: at no age, or it is there. */
  readonly videoFromAge: number | null;
  /** Today where the applicant lives, `yyyy-MM-dd`. */
  readonly today: string;
}

export type Decision =
  | { readonly trigger: Passed }
  | { readonly trigger: 'askForReview'; readonly review: NeededReview }
  | { readonly trigger: 'refuse'; readonly code: ErrorCode; readonly text: ErrorText }
  | {
      readonly trigger: 'failValidation';
      readonly code: ErrorCode;
      readonly text: ErrorText;
      readonly failedStep: FailedStep;
      /** What the error concerns, where the code alone does not say it. */
      readonly fields?: readonly string[];
      /** Which check failed, where the code alone does not say it. */
      readonly check?: ValidationCheck;
    };

function fail(
  code: ErrorCode,
  text: ErrorText = createCatalogueText(code),
  fields: readonly string[] = [],
): Decision {
  return {
    trigger: 'failValidation',
    code,
    text,
    failedStep: code === 'EVIDENCE_INVALID' ? 'registration' : 'validation',
    fields,
  };
}

function refuse(code: ErrorCode): Decision {
  return { trigger: 'refuse', code, text: createCatalogueText(code) };
}

const adultAge = 18;

function checkPerson(answer: PersonAnswer, subject: Subject): Decision | null {
  if (answer.outcome === 'unavailable')
    return fail('EXTERNAL_SERVICE_UNAVAILABLE', createText('request.identityRegistryAway'));
  if (answer.outcome === 'not-found') return fail('IDENTIFICATION_NOT_FOUND');
  const { person } = answer;
  if (person.deceased) return refuse('APPLICANT_DECEASED');
  if (ageOn(person.birthDate, subject.today) < adultAge) return refuse('APPLICANT_UNDERAGE');
  if (!person.fingerCodeMatches) return fail('FINGER_CODE_MISMATCH');
  if (!person.namesMatch) return fail('NAME_MISMATCH');
  if (subject.family === 'FR' && person.selfieMatches === false) return fail('SELFIE_MISMATCH');
  const { videoFromAge, today } = subject;
  const lacksVideo = videoFromAge !== null && ageOn(person.birthDate, today) >= videoFromAge;
  return lacksVideo ? fail('AUTHORIZATION_VIDEO_REQUIRED') : null;
}

/** The same code as for the identity registry: the record says that it is the company that was not checked. */
const taxRegistryDown: Decision = {
  trigger: 'failValidation',
  code: 'EXTERNAL_SERVICE_UNAVAILABLE',
  text: createText('request.taxRegistryAway'),
  failedStep: 'validation',
  check: 'COMPANY',
};

function checkCompany(answer: CompanyAnswer, subject: Subject): Decision | null {
  if (answer.outcome === 'unavailable') return taxRegistryDown;
  if (answer.outcome === 'not-found') return fail('RUC_INVALID', createText('request.rucUnknown'));
  if (!answer.active) return fail('RUC_INACTIVE');
  const mustRepresent = subject.applicationType === 'LEGAL_REPRESENTATIVE';
  return mustRepresent && !answer.representedByApplicant ? fail('REPRESENTATIVE_NOT_CONFIRMED') : null;
}

/** A reviewer has to look: the civil registry says so, or the tax registry knows the represented company under another name. */
function registryAsks({ person, company }: Findings, subject: Subject): boolean {
  if (person?.outcome === 'found' && person.person.needsReview) return true;
  if (subject.applicationType !== 'LEGAL_REPRESENTATIVE' || company?.outcome !== 'found') return false;
  const { socialReason } = company;
  return socialReason !== undefined && folded(socialReason) !== folded(subject.companySocialReason ?? '');
}

/** Letters and digits alone, in capitals and without accents: "Ñandú & Cía. S.A." is "NANDUCIASA". */
function folded(name: string): string {
  return name
    .normalize('NFD')
    .replaceAll(/[^\p{L}\p{N}]/gu, '')
    .toUpperCase();
}

/** What follows from what was found: the first fault in the order evidence, files, person, company; else the next step. */
export function decide(findings: Findings, subject: Subject): Decision {
  const [evidenceError] = findings.evidenceErrors;
  if (evidenceError !== undefined) return fail('EVIDENCE_INVALID', evidenceError);
  const { files } = findings;
  if (files) return fail(files.code, files.text, files.fields);
  const stopped =
    (findings.person && checkPerson(findings.person, subject)) ??
    (findings.company && checkCompany(findings.company, subject));
  if (stopped) return stopped;
  const review = neededReview({ ...subject, registryAsks: registryAsks(findings, subject) });
  return review ? { trigger: 'askForReview', review } : { trigger: passed(subject) };
}
