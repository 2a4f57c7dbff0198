import type { Texts } from './revoke-texts.ts';

export const reasons = ['keyCompromise', 'unspecified'] as const;
export type Reason = (typeof reasons)[number];

/** Fault of a form: the name of a field, or the page as a whole. */
export type RevokeFault = keyof Texts['faults'];

/** Both identifiers of a certificate, as entered. */
export interface NamedCertificate {
  readonly identificationNumber: string;
  readonly serialNumber: string;
}

type Fields = Readonly<Record<string, unknown>>;

function readText(value: unknown): string {
  return typeof value === 'string' ? value.trim() : '';
}

/** Programs print serial numbers with colons or blanks between the bytes. */
const serialPattern = /^[0-9A-Fa-f](?:[\s:]?[0-9A-Fa-f]){0,39}$/;

export function parseNames(form: Fields): { values: NamedCertificate; faults: RevokeFault[] } {
  const identificationNumber = readText(form.identificationNumber).replaceAll(/[\s-]/g, '').slice(0, 20);
  const serialNumber = readText(form.serialNumber).slice(0, 79);
  const faults: RevokeFault[] = [
    ...(identificationNumber === '' ? (['identificationNumber'] as const) : []),
    ...(serialPattern.test(serialNumber) ? [] : (['serialNumber'] as const)),
  ];
  return { values: { identificationNumber, serialNumber: serialNumber.replaceAll(/[\s:]/g, '') }, faults };
}

export function parseProof(form: Fields): { code: string; reason: Reason; faults: RevokeFault[] } {
  const code = readText(form.code).replaceAll(/[\s-]/g, '');
  const reason = reasons.find((candidate) => candidate === form.reason);
  const faults: RevokeFault[] = [
    ...(/^[0-9]{6}$/.test(code) ? [] : (['code'] as const)),
    ...(reason === undefined ? (['reason'] as const) : []),
  ];
  return { code, reason: reason ?? 'unspecified', faults };
}
