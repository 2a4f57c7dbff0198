import type { Period } from '@rubrica/contracts';
import { checkRuc } from '@rubrica/ecuador';
import { periodEnd } from '@rubrica/pki';
import { parseAppointmentEnd } from './date-input.ts';
import type { Fields } from './rules.ts';

export interface Warning {
  readonly code: string;
  readonly message: string;
}

type WarningRule = (fields: Fields, context: { now: Date; timeZone: string }) => Warning | undefined;

const rucCheckDigit: WarningRule = ({ companyRuc }) => {
  const checked = typeof companyRuc === 'string' ? checkRuc(companyRuc) : undefined;
  if (!checked?.ok || !checked.warning) return undefined;
  return {
    code: 'RUC_CHECK_DIGIT',
    message: `The check digit of companyRuc "${companyRuc}" does not match; newly issued numbers may not have one`,
  };
};

/** Issued later than now, as it will be, the period would end later still: what is capped today is capped then. */
const validityCapped: WarningRule = (fields, { now, timeZone }) => {
  const { applicationType, period, expirationDateAppointment: given } = fields;
  if (applicationType !== 'LEGAL_REPRESENTATIVE' || typeof given !== 'string') return undefined;
  const appointmentEnd = parseAppointmentEnd(given, timeZone);
  if (!appointmentEnd || appointmentEnd >= periodEnd(period as Period, now, timeZone)) return undefined;
  return {
    code: 'VALIDITY_CAPPED',
    message: `The certificate will end with the appointment, expirationDateAppointment "${given}", before a period of ${period} is over`,
  };
};

const warningRules = [rucCheckDigit, validityCapped];

/** What is odd but never a refusal. The fields have passed every rule. */
export const findWarnings = (fields: Fields, context: { now: Date; timeZone: string }): readonly Warning[] =>
  warningRules.flatMap((rule) => rule(fields, context) ?? []);
