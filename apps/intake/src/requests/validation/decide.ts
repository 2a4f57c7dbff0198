import { createCatalogueText, createText } from '@rubrica/contracts/error-texts/create-text';
import type { ErrorText } from '@rubrica/contracts/error-texts/error-text';
import type { ValidationCheck } from '@rubrica/contracts/rest/transactional';
import type { ApplicationType, Family, ReviewPolicy } from '@rubrica/contracts/shared/enumerations';
import type { ErrorCode } from '@rubrica/contracts/shared/errors';
import type { CompanyAnswer, PersonAnswer } from '../../outside/registry/registry.ts';
import { type ApprovalTrigger, approvalTrigger } from '../request/approval-trigger.ts';
import { computeAge } from '../request/compute-age.ts';
import { determineReview, type NeededReview } from '../request/needed-review.ts';
import type { FailedStep } from '../request/state-machine.ts';
import type { FileFault } from './judge-files.ts';

export interface Findings {
  readonly evidenceErrors: readonly ErrorText[];
  readonly files: FileFault | null;
  readonly person: PersonAnswer | null;
  readonly company: CompanyAnswer | null;
}

export interface DecisionContext {
  readonly family: Family;
  /** Policy of the partner. */
  readonly reviewPolicy: ReviewPolicy;
  readonly applicationType: ApplicationType;
  /** Name of the company that a representative acts for. */
  readonly companySocialReason: string | null;
  readonly needsClaim: boolean;
  /** Age from which a video is needed; null: at no age, or the video is present. */
  readonly videoFromAge: number | null;
  /** Date where the applicant lives, `yyyy-MM-dd`. */
  readonly today: string;
}

export type Decision =
  | { readonly trigger: ApprovalTrigger }
  | { readonly trigger: 'askForReview'; readonly review: NeededReview }
  | { readonly trigger: 'refuse'; readonly code: ErrorCode; readonly text: ErrorText }
  | {
      readonly trigger: 'failValidation';
      readonly code: ErrorCode;
      readonly text: ErrorText;
      readonly failedStep: FailedStep;
      /** Fields that the error concerns, if the code alone does not say so. */
      readonly fields?: readonly string[];
      /** Check that failed, if the code alone does not say so. */
      readonly check?: ValidationCheck;
    };

function buildFailure(
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

function buildRefusal(code: ErrorCode): Decision {
  return { trigger: 'refuse', code, text: createCatalogueText(code) };
}

const adultAge = 18;

function checkPerson(answer: PersonAnswer, subject: DecisionContext): Decision | null {
  if (answer.outcome === 'unavailable')
    return buildFailure('EXTERNAL_SERVICE_UNAVAILABLE', createText('request.identityRegistryAway'));
  if (answer.outcome === 'not-found') return buildFailure('IDENTIFICATION_NOT_FOUND');
  const { person } = answer;
  if (person.deceased) return buildRefusal('APPLICANT_DECEASED');
  if (computeAge(person.birthDate, subject.today) < adultAge) return buildRefusal('APPLICANT_UNDERAGE');
  if (!person.fingerCodeMatches) return buildFailure('FINGER_CODE_MISMATCH');
  if (!person.namesMatch) return buildFailure('NAME_MISMATCH');
  if (subject.family === 'FR' && person.selfieMatches === false) return buildFailure('SELFIE_MISMATCH');
  const { videoFromAge, today } = subject;
  const lacksVideo = videoFromAge !== null && computeAge(person.birthDate, today) >= videoFromAge;
  return lacksVideo ? buildFailure('AUTHORIZATION_VIDEO_REQUIRED') : null;
}

/**
 * Decision if the tax registry does not answer. It has the code of the identity registry: the record says
 * that the company was not checked.
 */
const taxRegistryUnavailable: Decision = {
  trigger: 'failValidation',
  code: 'EXTERNAL_SERVICE_UNAVAILABLE',
  text: createText('request.taxRegistryAway'),
  failedStep: 'validation',
  check: 'COMPANY',
};

function checkCompany(answer: CompanyAnswer, subject: DecisionContext): Decision | null {
  if (answer.outcome === 'unavailable') return taxRegistryUnavailable;
  if (answer.outcome === 'not-found') return buildFailure('RUC_INVALID', createText('request.rucUnknown'));
  if (!answer.active) return buildFailure('RUC_INACTIVE');
  const mustRepresent = subject.applicationType === 'LEGAL_REPRESENTATIVE';
  return mustRepresent && !answer.representedByApplicant
    ? buildFailure('REPRESENTATIVE_NOT_CONFIRMED')
    : null;
}

/**
 * Returns whether a registry requires a review: the civil registry says so, or the tax registry knows the
 * represented company under another name.
 */
function needsRegistryReview({ person, company }: Findings, subject: DecisionContext): boolean {
  if (person?.outcome === 'found' && person.person.needsReview) return true;
  if (subject.applicationType !== 'LEGAL_REPRESENTATIVE' || company?.outcome !== 'found') return false;
  const { socialReason } = company;
  return socialReason !== undefined && foldName(socialReason) !== foldName(subject.companySocialReason ?? '');
}

/**
 * Reduces a name to letters and digits, in capitals and without accents: "Ñandú & Cía. S.A." is "NANDUCIASA".
 */
function foldName(name: string): string {
  return name
    .normalize('NFD')
    .replaceAll(/[^\p{L}\p{N}]/gu, '')
    .toUpperCase();
}

/**
 * Decides on the findings: the first fault in the order evidence, files, person, company; else the next step.
 */
export function decide(findings: Findings, subject: DecisionContext): Decision {
  const [evidenceError] = findings.evidenceErrors;
  if (evidenceError !== undefined) return buildFailure('EVIDENCE_INVALID', evidenceError);
  const { files } = findings;
  if (files) return buildFailure(files.code, files.text, files.fields);
  const fault =
    (findings.person && checkPerson(findings.person, subject)) ??
    (findings.company && checkCompany(findings.company, subject));
  if (fault) return fault;
  const review = determineReview({ ...subject, registryAsks: needsRegistryReview(findings, subject) });
  return review ? { trigger: 'askForReview', review } : { trigger: approvalTrigger(subject) };
}
