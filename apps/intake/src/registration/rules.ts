import { say } from '@rubrica/contracts/error-texts/say';
import {
  type CertificateType,
  certificateTypeSchema,
  type PasswordConfiguration,
} from '@rubrica/contracts/shared/enumerations';
import { type ErrorDetail, errorCatalogue } from '@rubrica/contracts/shared/errors';
import { applicationTypesOf, periodsOf } from '@rubrica/contracts/shared/families';
import { checkCedula, checkCellphone, checkFingerCode, checkRuc, type RucFault } from '@rubrica/ecuador';
import { errorDetail } from '@rubrica/process';
import type { IntakeDeps } from '../context.ts';
import { judgeCallbackUrl } from '../request/callback-url.ts';
import { findLostLetters, findUncertifiable } from '../request/certified-text.ts';
import { parseAppointmentEnd } from '../request/date-input.ts';

export type Fields = Readonly<Record<string, string | boolean>>;

/** What each file field that was given holds; null where it cannot be told. */
export type Files = ReadonlyMap<string, string | null>;

export interface RuleContext {
  readonly now: Date;
  readonly timeZone: string;
  readonly passwordConfiguration: PasswordConfiguration;
  readonly passwordGiven: boolean;
  readonly allowLoopbackCallback: boolean;
  readonly files: Files;
}

/** For what is sent after the registration, where a password is neither asked for nor missed. */
export function laterContext(
  deps: Pick<IntakeDeps, 'clock' | 'timeZone' | 'rules'>,
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

export function textOf(fields: Fields, name: string): string | undefined {
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
  const value = textOf(fields, 'identificationNumber');
  if (value === undefined || checkCedula(value).ok) return [];
  return [
    errorDetail(
      'IDENTIFICATION_NUMBER_INVALID',
      'identificationNumber',
      `identificationNumber ${say('"{given}" is not a valid cédula of 10 digits', { given: value })}`,
    ),
  ];
}

/** Texts with a lost letter; names, position and company without a letter or a digit, which no certificate can hold. */
export function certifiedText(fields: Fields): readonly ErrorDetail[] {
  return [...findLostLetters(fields), ...findUncertifiable(fields)].map(({ field, expectation }) =>
    errorDetail('FIELD_INVALID', field, `${field} ${expectation}`),
  );
}

export function fingerCode(fields: Fields): readonly ErrorDetail[] {
  const value = textOf(fields, 'fingerCode');
  if (value === undefined || checkFingerCode(value).ok) return [];
  return [
    errorDetail(
      'FIELD_INVALID',
      'fingerCode',
      `fingerCode ${say('must have 10 letters and digits, at least one letter and six digits, for example V4333V2222')}`,
    ),
  ];
}

export function cellphoneNumber(fields: Fields): readonly ErrorDetail[] {
  const value = textOf(fields, 'cellphoneNumber');
  if (value === undefined || checkCellphone(value).ok) return [];
  return [
    errorDetail(
      'FIELD_INVALID',
      'cellphoneNumber',
      `cellphoneNumber ${say('must be in international format, for example +593991234567')}`,
    ),
  ];
}

const rucFaults: Readonly<Record<RucFault, (given: string) => string>> = {
  FORMAT: (given) => say('"{given}" is not a valid RUC: it must have 13 digits', { given }),
  PROVINCE: (given) =>
    say('"{given}" is not a valid RUC: its first two digits must be a province, 01 to 24 or 30', { given }),
  THIRD_DIGIT: (given) => say('"{given}" is not a valid RUC: its third digit must be 0 to 6 or 9', { given }),
  CHECK_DIGIT: (given) =>
    say('"{given}" is not a valid RUC: its first ten digits are no cédula, the check digit does not match', {
      given,
    }),
  ESTABLISHMENT: (given) =>
    say(
      '"{given}" is not a valid RUC: its establishment, the last three digits (four of a public body), must not be zero',
      { given },
    ),
};

export function companyRuc(fields: Fields): readonly ErrorDetail[] {
  const value = textOf(fields, 'companyRuc');
  const checked = value === undefined ? undefined : checkRuc(value);
  if (value === undefined || checked === undefined || checked.ok) return [];
  return [errorDetail('RUC_INVALID', 'companyRuc', `companyRuc ${rucFaults[checked.reason](value)}`)];
}

/** @param name what the family calls it */
export function appointment(name: 'expirationDateAppointment' | 'appointmentExpirationDate'): Rule {
  return (fields, { now, timeZone }) => {
    const value = textOf(fields, name);
    if (value === undefined) return [];
    const date = parseAppointmentEnd(value, timeZone);
    if (date === undefined)
      return [
        errorDetail(
          'FIELD_INVALID',
          name,
          `${name} ${say('"{given}" is not a date of the calendar', { given: value })}`,
        ),
      ];
    return date > now
      ? []
      : [
          errorDetail(
            'APPOINTMENT_EXPIRED',
            name,
            `${name} ${say('"{given}" must be in the future', { given: value })}`,
          ),
        ];
  };
}

export function callbackUrl(fields: Fields, { allowLoopbackCallback }: RuleContext): readonly ErrorDetail[] {
  const value = textOf(fields, 'callbackUrl');
  const expectation = value && judgeCallbackUrl(value, { allowLoopback: allowLoopbackCallback });
  return expectation
    ? [errorDetail('CALLBACK_URL_NOT_ALLOWED', 'callbackUrl', `callbackUrl ${expectation}`)]
    : [];
}

/** Specification 2.1, rule 1. */
export function companyData(fields: Fields): readonly ErrorDetail[] {
  const applies =
    fields.certificateType === 'TRADITIONAL_SIGNATURE' && fields.applicationType === 'LEGAL_REPRESENTATIVE';
  if (!applies) return [];
  return companyFields
    .filter((name) => fields[name] === undefined)
    .map((name) =>
      errorDetail('COMPANY_DATA_REQUIRED', name, `${name} ${say('is required for a legal representative')}`),
    );
}

/** What the kind of certificate allows, from the table that the reference lists show; undefined without a kind. */
function allowedBy(
  table: Readonly<Record<CertificateType, readonly string[]>>,
  fields: Fields,
): readonly string[] | undefined {
  const kind = certificateTypeSchema.safeParse(fields.certificateType);
  return kind.success ? table[kind.data] : undefined;
}

/** Specification 2.1, rule 2. */
export function applicant(fields: Fields): readonly ErrorDetail[] {
  const value = textOf(fields, 'applicationType');
  const allowed = allowedBy(applicationTypesOf, fields);
  if (value === undefined || allowed === undefined || allowed.includes(value)) return [];
  return [
    errorDetail(
      'INVALID_APPLICATION_TYPE',
      'applicationType',
      `applicationType ${say('must be {choices} for a {kind}', { choices: allowed.join(' or '), kind: `${fields.certificateType}` })}`,
    ),
  ];
}

/** Specification 2.1, rule 3; a traditional signature has no default period. */
export function period(fields: Fields): readonly ErrorDetail[] {
  const value = textOf(fields, 'period');
  const allowed = allowedBy(periodsOf, fields);
  if (value !== undefined && allowed?.includes(value) === false)
    return [
      errorDetail(
        'INVALID_PERIOD',
        'period',
        `period ${say('must be {choices} for a {kind}, not "{given}"', { choices: (allowed ?? []).join(' or '), kind: `${fields.certificateType}`, given: value })}`,
      ),
    ];
  if (fields.certificateType === 'TRADITIONAL_SIGNATURE' && value === undefined)
    return [
      errorDetail('FIELD_REQUIRED', 'period', `period ${say('is required for a TRADITIONAL_SIGNATURE')}`),
    ];
  return [];
}

/** Specification 2.1, rule 4. */
export function password(fields: Fields, context: RuleContext): readonly ErrorDetail[] {
  const required =
    fields.certificateType === 'TRADITIONAL_SIGNATURE' && context.passwordConfiguration === 'PARTNER';
  if (!required || context.passwordGiven) return [];
  return [errorDetail('PASSWORD_REQUIRED', 'password', errorCatalogue.PASSWORD_REQUIRED.en)];
}

export interface Checked {
  readonly fields: Fields;
  /** Faults that the gateway found itself. */
  readonly found: readonly ErrorDetail[];
  readonly context: RuleContext;
}

/** All faults at once: those that were found before, and what the rules add; no field is reported twice. */
export function applyRules(
  rules: readonly Rule[],
  { fields, found, context }: Checked,
): readonly ErrorDetail[] {
  const added = rules.flatMap((rule) => rule(fields, context));
  const all = [...found, ...added];
  return [
    ...found,
    ...added.filter(
      (one, index) => all.findIndex(({ field }) => field === one.field) === found.length + index,
    ),
  ];
}
