import type {
  ApplicationType,
  CertificateType,
  ErrorDetail,
  intakeContract,
  PasswordConfiguration,
  Period,
} from '@rubrica/contracts';
import { planTransition, type TransitionPlan } from '../domain/plan-transition.ts';
import type { Details, Observation } from '../request/request.entity.ts';
import type { Fields } from './rules.ts';
import type { Warning } from './warnings.ts';

export interface Registration {
  readonly id: string;
  readonly partnerId: string;
  readonly fields: Fields;
  readonly referenceTransaction: string;
  readonly identificationNumber: string;
  readonly applicationType: ApplicationType;
  readonly certificateType: CertificateType;
  readonly period: Period;
  readonly callbackUrl: string;
  readonly details: Details;
  readonly passwordOrigin: 'PARTNER' | 'SERVICE' | 'HOLDER';
  readonly observations: readonly Observation[];
  readonly plan: TransitionPlan;
  readonly now: Date;
}

/** Kept as columns of their own, so not a second time among the details. */
const columns = new Set([
  'identificationNumber',
  'applicationType',
  'certificateType',
  'period',
  'callbackUrl',
  'referenceTransaction',
]);

const normalised = (name: string, value: string | boolean): string | boolean =>
  name === 'fingerCode' && typeof value === 'string' ? value.toUpperCase() : value;

/** Given; chosen by the holder at the claim; or made by the service. */
export const passwordOrigin = (
  given: boolean,
  configuration: PasswordConfiguration,
): Registration['passwordOrigin'] => {
  if (given) return 'PARTNER';
  return configuration === 'ONE_TIME_PASSWORD' ? 'HOLDER' : 'SERVICE';
};

/** Builds everything that an accepted linked-partner registration writes. The fields have passed every rule. */
export const buildRegistration = (options: {
  input: intakeContract.RegisterInput;
  partner: { id: string; passwordConfiguration: PasswordConfiguration };
  warnings: readonly Warning[];
  now: Date;
  newId: () => string;
}): Registration => {
  const { input, partner, now } = options;
  const fields = input.fields as Fields & Record<string, string>;
  const errors: readonly ErrorDetail[] = input.evidence?.errors ?? [];
  const callbackUrl = String(fields.callbackUrl);
  const fresh = {
    id: input.requestId,
    status: 'REGISTERED',
    validationStatus: 'PENDING',
    validationAttempt: 0,
    generationAttempt: 0,
    callbackUrl,
  } as const;
  const [error] = errors;
  const plan = error
    ? planTransition(fresh, 'registerWithErrors', {
        code: error.code,
        message: error.message,
        newId: options.newId,
      })
    : planTransition(fresh, 'register', { newId: options.newId });
  const details = Object.entries(fields)
    .filter(([name]) => !columns.has(name))
    .map(([name, value]) => [name, normalised(name, value)]);
  return {
    id: input.requestId,
    partnerId: partner.id,
    fields,
    referenceTransaction: String(fields.referenceTransaction),
    identificationNumber: String(fields.identificationNumber),
    applicationType: fields.applicationType as ApplicationType,
    certificateType: fields.certificateType as CertificateType,
    period: (fields.period ?? 'ONE_WEEK') as Period,
    callbackUrl,
    details: Object.fromEntries(details),
    passwordOrigin: passwordOrigin(input.sealedPassword !== undefined, partner.passwordConfiguration),
    observations: options.warnings.map((warning) => ({
      type: 'WARNING',
      ...warning,
      createdDate: now.toISOString(),
    })),
    plan,
    now,
  };
};
