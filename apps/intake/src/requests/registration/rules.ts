import { createText } from '@rubrica/contracts/error-texts/create-text';
import type { ErrorText } from '@rubrica/contracts/error-texts/error-text';
import {
  type CertificateType,
  certificateTypeSchema,
  type PasswordConfiguration,
} from '@rubrica/contracts/shared/enumerations';
import type { ErrorDetail } from '@rubrica/contracts/shared/errors';
import { allowedApplicationTypes, allowedPeriods } from '@rubrica/contracts/shared/families';
import { checkCedula, checkCellphone, checkFingerCode, checkRuc, type RucFault } from '@rubrica/ecuador';
import { errorDetail, fieldFault } from '@rubrica/process/errors';
import { findLostLetters, findUncertifiable } from '../../base/certified-text.ts';
import type { RequestsDeps } from '../deps.ts';
import { judgeCallbackUrl } from '../request/callback-url.ts';
import { parseAppointmentEnd } from '../request/parse-appointment-end.ts';

export type Fields = Readonly<Record<string, string | boolean>>;

/** Media type of each file field that was given; null if it is unknown. */
export type Files = ReadonlyMap<string, string | null>;

export interface RuleContext {
  readonly now: Date;
  readonly timeZone: string;
  readonly passwordConfiguration: PasswordConfiguration;
  readonly passwordGiven: boolean;
  readonly allowLoopbackCallback: boolean;
  readonly files: Files;
}

/**
 * Creates the context for data that are sent after the registration, where a password is neither asked for
 * nor missed.
 */
export function createLaterContext(
  deps: Pick<RequestsDeps, 'clock' | 'timeZone' | 'rules'>,
  files: Files = new Map(),
): RuleContext {
  return {
    now: deps.clock(),
    timeZone: deps.timeZone,
    passwordConfiguration: 'PARTNER',
    passwordGiven: true,
    allowLoopbackCallback: deps.rules.callbackAllowLoopback,
    files,
  };
}

export function readFieldText(fields: Fields, name: string): string | undefined {
  const value = fields[name];
  return typeof value === 'string' ? value : undefined;
}

const companyFields = [
  'companyRuc',
  'positionCompany',
  'companySocialReason',
  'expirationDateAppointment',
] as const;

export type Rule = (fields: Fields, context: RuleContext) => readonly ErrorDetail[];

export function identificationNumber(fields: Fields): readonly ErrorDetail[] {
  const value = readFieldText(fields, 'identificationNumber');
  if (value === undefined || checkCedula(value).ok) return [];
  return [
    fieldFault(
      'IDENTIFICATION_NUMBER_INVALID',
      'identificationNumber',
      createText('field.cedula', { given: value }),
    ),
  ];
}

/**
 * Finds texts with a lost letter, and names, position and company without a letter or a digit, which no
 * certificate can hold.
 */
export function certifiedText(fields: Fields): readonly ErrorDetail[] {
  return [...findLostLetters(fields), ...findUncertifiable(fields)].map(({ field, expectation }) =>
    fieldFault('FIELD_INVALID', field, expectation),
  );
}

export function fingerCode(fields: Fields): readonly ErrorDetail[] {
  const value = readFieldText(fields, 'fingerCode');
  if (value === undefined || checkFingerCode(value).ok) return [];
  return [fieldFault('FIELD_INVALID', 'fingerCode', createText('field.fingerCode'))];
}

export function cellphoneNumber(fields: Fields): readonly ErrorDetail[] {
  const value = readFieldText(fields, 'cellphoneNumber');
  if (value === undefined || checkCellphone(value).ok) return [];
  return [fieldFault('FIELD_INVALID', 'cellphoneNumber', createText('field.cellphone'))];
}

const rucFaults: Readonly<Record<RucFault, (given: string) => ErrorText>> = {
  FORMAT: (given) => createText('field.rucFormat', { given }),
  PROVINCE: (given) => createText('field.rucProvince', { given }),
  THIRD_DIGIT: (given) => createText('field.rucThirdDigit', { given }),
  CHECK_DIGIT: (given) =>
    createText('field.rucCheckDigit', {
      given,
    }),
  ESTABLISHMENT: (given) => createText('field.rucEstablishment', { given }),
};

export function companyRuc(fields: Fields): readonly ErrorDetail[] {
  const value = readFieldText(fields, 'companyRuc');
  const checked = value === undefined ? undefined : checkRuc(value);
  if (value === undefined || checked === undefined || checked.ok) return [];
  return [fieldFault('RUC_INVALID', 'companyRuc', rucFaults[checked.reason](value))];
}

/** @param name name of the field in the family */
export function appointment(name: 'expirationDateAppointment' | 'appointmentExpirationDate'): Rule {
  return (fields, { now, timeZone }) => {
    const value = readFieldText(fields, name);
    if (value === undefined) return [];
    const date = parseAppointmentEnd(value, timeZone);
    if (date === undefined)
      return [fieldFault('FIELD_INVALID', name, createText('field.calendarDate', { given: value }))];
    return date > now
      ? []
      : [fieldFault('APPOINTMENT_EXPIRED', name, createText('field.notFuture', { given: value }))];
  };
}

export function callbackUrl(fields: Fields, { allowLoopbackCallback }: RuleContext): readonly ErrorDetail[] {
  const value = readFieldText(fields, 'callbackUrl');
  const expectation = value && judgeCallbackUrl(value, { allowLoopback: allowLoopbackCallback });
  return expectation ? [fieldFault('CALLBACK_URL_NOT_ALLOWED', 'callbackUrl', expectation)] : [];
}

/** Requires the data of a company (specification 2.1, rule 1). */
export function companyData(fields: Fields): readonly ErrorDetail[] {
  const applies =
    fields.certificateType === 'TRADITIONAL_SIGNATURE' && fields.applicationType === 'LEGAL_REPRESENTATIVE';
  if (!applies) return [];
  return companyFields
    .filter((name) => fields[name] === undefined)
    .map((name) => fieldFault('COMPANY_DATA_REQUIRED', name, createText('field.requiredForRepresentative')));
}

/**
 * Returns the values that the kind of certificate allows, from the table of the reference lists; undefined
 * without a kind.
 */
function findAllowed(
  table: Readonly<Record<CertificateType, readonly string[]>>,
  fields: Fields,
): readonly string[] | undefined {
  const kind = certificateTypeSchema.safeParse(fields.certificateType);
  return kind.success ? table[kind.data] : undefined;
}

/** Checks the kind of applicant (specification 2.1, rule 2). */
export function applicant(fields: Fields): readonly ErrorDetail[] {
  const value = readFieldText(fields, 'applicationType');
  const allowed = findAllowed(allowedApplicationTypes, fields);
  if (value === undefined || allowed === undefined || allowed.includes(value)) return [];
  return [
    fieldFault(
      'INVALID_APPLICATION_TYPE',
      'applicationType',
      createText('field.choiceForKind', { choices: allowed, kind: `${fields.certificateType}` }),
    ),
  ];
}

/** Checks the period (specification 2.1, rule 3); a traditional signature has no default. */
export function period(fields: Fields): readonly ErrorDetail[] {
  const value = readFieldText(fields, 'period');
  const allowed = findAllowed(allowedPeriods, fields);
  if (value !== undefined && allowed?.includes(value) === false)
    return [
      fieldFault(
        'INVALID_PERIOD',
        'period',
        createText('field.choiceForKindNot', {
          choices: allowed ?? [],
          kind: `${fields.certificateType}`,
          given: value,
        }),
      ),
    ];
  if (fields.certificateType === 'TRADITIONAL_SIGNATURE' && value === undefined)
    return [fieldFault('FIELD_REQUIRED', 'period', createText('field.requiredForTraditional'))];
  return [];
}

/** Requires a password (specification 2.1, rule 4). */
export function password(fields: Fields, context: RuleContext): readonly ErrorDetail[] {
  const required =
    fields.certificateType === 'TRADITIONAL_SIGNATURE' && context.passwordConfiguration === 'PARTNER';
  if (!required || context.passwordGiven) return [];
  return [errorDetail('PASSWORD_REQUIRED', 'password')];
}

export interface CheckInput {
  readonly fields: Fields;
  /** Faults that the gateway found itself. */
  readonly found: readonly ErrorDetail[];
  readonly context: RuleContext;
}

/**
 * Returns all faults at once: those that were found before, and those of the rules; no field is reported
 * twice.
 */
export function applyRules(
  rules: readonly Rule[],
  { fields, found, context }: CheckInput,
): readonly ErrorDetail[] {
  const added = rules.flatMap((rule) => rule(fields, context));
  const all = [...found, ...added];
  return [
    ...found,
    ...added.filter(
      (fault, index) => all.findIndex(({ field }) => field === fault.field) === found.length + index,
    ),
  ];
}
