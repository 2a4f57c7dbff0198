import { createText } from '@rubrica/contracts/error-texts/create-text';
import type * as requestsContract from '@rubrica/contracts/services/schemas/requests';
import { canonicalDateTime } from '@rubrica/contracts/shared/date-time';
import { HOUR_MS } from '@rubrica/contracts/shared/durations';
import type {
  ApplicationType,
  CertificateType,
  Family,
  PasswordConfiguration,
  Period,
} from '@rubrica/contracts/shared/enumerations';
import type { ErrorDetail } from '@rubrica/contracts/shared/errors';
import { withoutBlankSurname } from '../../base/certified-text.ts';
import {
  choosePasswordOrigin,
  determineKind,
  familyPlans,
  type PasswordOrigin,
  toCanonicalFields,
} from '../request/family-plans.ts';
import { planTransition, type TransitionPlan } from '../request/plan-transition.ts';
import type { Details, Observation } from '../request/request.entity.ts';
import type { Warning } from './warnings.ts';

export interface Registration {
  readonly id: string;
  readonly partnerId: string;
  readonly family: Family;
  readonly referenceTransaction: string;
  readonly identificationNumber: string;
  readonly applicationType: ApplicationType;
  readonly certificateType: CertificateType;
  readonly period: Period;
  readonly callbackUrl: string | null;
  readonly details: Details;
  readonly passwordOrigin: PasswordOrigin;
  /** True if the applicant has already given everything that a claim asks for. */
  readonly isClaimed: boolean;
  readonly observations: readonly Observation[];
  readonly plan: TransitionPlan;
  readonly expiresAt: Date | null;
  readonly now: Date;
}

/** Fields that are stored as columns, so not again among the details. */
const columns = new Set([
  'identificationNumber',
  'applicationType',
  'certificateType',
  'period',
  'callbackUrl',
  'referenceTransaction',
]);

/**
 * Stored forms. The previous release reads what this one stores, and knows a date-time in its canonical form
 * alone.
 */
const normalForms: Readonly<Record<string, (text: string) => string>> = {
  fingerCode: (text) => text.toUpperCase(),
  expirationDateAppointment: (text) => canonicalDateTime(text) ?? text,
};

/** Converts a value to the form in which it is stored. */
export function normaliseField(name: string, value: string | boolean): string | boolean {
  return typeof value === 'string' ? (normalForms[name]?.(value) ?? value) : value;
}

/**
 * Plans the first transition. Faulty evidence is registered all the same, as an error that may be corrected.
 */
function planRegistration(
  { requestId, family, evidence }: requestsContract.RegisterInput,
  { callbackUrl, newId }: { callbackUrl: string | null; newId: () => string },
): TransitionPlan {
  const fresh = {
    id: requestId,
    status: 'REGISTERED',
    validationStatus: 'PENDING',
    validationAttempt: 0,
    generationAttempt: 0,
    callbackUrl,
  } as const;
  const error: ErrorDetail | undefined = evidence?.errors[0];
  if (error) {
    const { code, text, message } = error;
    const errorText = text ?? createText('request.verbatim', { message });
    return planTransition(fresh, 'registerWithErrors', { code, text: errorText, newId });
  }
  const isStepwise = familyPlans[family].stepwiseHours !== null;
  return planTransition(fresh, isStepwise ? 'registerStepwise' : 'register', { newId });
}

/** Builds everything that an accepted registration writes. The fields have passed every rule. */
export function buildRegistration(options: {
  input: requestsContract.RegisterInput;
  partner: { id: string; passwordConfiguration: PasswordConfiguration };
  warnings: readonly Warning[];
  now: Date;
  newId: () => string;
  isClaimed?: boolean;
}): Registration {
  const { input, partner, now, isClaimed = false } = options;
  const { family } = input;
  const fields = withoutBlankSurname(toCanonicalFields(family, input.fields));
  const callbackUrl = typeof fields.callbackUrl === 'string' ? fields.callbackUrl : null;
  const { stepwiseHours } = familyPlans[family];
  const details = Object.entries(fields)
    .filter(([name]) => !columns.has(name))
    .map(([name, value]) => [name, normaliseField(name, value)]);
  return {
    id: input.requestId,
    partnerId: partner.id,
    family,
    referenceTransaction: String(fields.referenceTransaction),
    identificationNumber: String(fields.identificationNumber),
    ...determineKind(family, fields),
    callbackUrl,
    details: Object.fromEntries(details),
    passwordOrigin: isClaimed
      ? 'HOLDER'
      : choosePasswordOrigin(family, {
          given: input.sealedPassword !== undefined,
          configuration: partner.passwordConfiguration,
        }),
    isClaimed,
    observations: options.warnings.map(({ code, message, text }) => ({
      type: 'WARNING',
      code,
      message,
      text,
      createdDate: now.toISOString(),
    })),
    plan: planRegistration(input, { callbackUrl, newId: options.newId }),
    expiresAt: stepwiseHours === null ? null : new Date(now.getTime() + stepwiseHours * HOUR_MS),
    now,
  };
}
