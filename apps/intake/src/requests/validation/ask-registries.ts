import type { Message } from '@rubrica/contracts/messages/messages';
import { withoutBlankSurname } from '../../base/certified-text.ts';
import type { CompanyAnswer, PersonAnswer, PersonNames } from '../../outside/registry/registry.ts';
import type { RequestsDeps } from '../deps.ts';
import { getDetailText } from '../request/detail-text.ts';
import { familyPlans } from '../request/family-plans.ts';
import type { ValidationContext } from './begin-validation.ts';

type Job = Message<'jobs.validation.requested'>;

const registryTimeoutMs = 10_000;

/**
 * Returns the details with the registry's names. The certificate, the mails and the reviewers need a name,
 * and the registry's is the right one.
 */
export function withNames(
  details: ValidationContext['details'],
  person: PersonAnswer | null,
): ValidationContext['details'] {
  const names = person?.outcome === 'found' ? person.person.names : null;
  if (names === null) return details;
  const { applicantSecondLastName: _former, ...others } = details;
  return withoutBlankSurname({
    ...others,
    applicantName: names.given,
    applicantLastName: names.surname,
    ...(names.secondSurname === null ? {} : { applicantSecondLastName: names.secondSurname }),
  });
}

function readNames(details: ValidationContext['details']): PersonNames | null {
  const [given, surname] = [
    getDetailText(details, 'applicantName'),
    getDetailText(details, 'applicantLastName'),
  ];
  if (!given || !surname) return null;
  return { given, surname, secondSurname: getDetailText(details, 'applicantSecondLastName') };
}

type RegistryDeps = Pick<RequestsDeps, 'registries'>;

export function askPerson(
  { registries }: RegistryDeps,
  job: Job,
  {
    family,
    identificationNumber,
    details,
  }: Pick<ValidationContext, 'family' | 'identificationNumber' | 'details'>,
): Promise<PersonAnswer> {
  return registries.lookUpPerson({
    requestId: job.requestId,
    attempt: job.attempt,
    identificationNumber,
    fingerCode: getDetailText(details, 'fingerCode'),
    names: familyPlans[family].namesFromRegistry ? null : readNames(details),
    signal: AbortSignal.timeout(registryTimeoutMs),
  });
}

export async function askCompany(
  { registries }: RegistryDeps,
  job: Job,
  request: Pick<ValidationContext, 'identificationNumber' | 'details'>,
): Promise<CompanyAnswer | null> {
  const ruc = getDetailText(request.details, 'companyRuc');
  if (ruc === null) return null;
  return registries.lookUpCompany({
    requestId: job.requestId,
    attempt: job.attempt,
    ruc,
    identificationNumber: request.identificationNumber,
    signal: AbortSignal.timeout(registryTimeoutMs),
  });
}
