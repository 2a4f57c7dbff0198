import type * as retentionContract from '@rubrica/contracts/services/schemas/retention';
import { DAY_MS } from '@rubrica/contracts/shared/durations';
import type { Status } from '@rubrica/contracts/shared/enumerations';
import { isTerminal } from './state-machine.ts';

type Rule = retentionContract.RetentionRule;

/** What of a request decides how long its data is kept. */
export interface RetentionSubject {
  readonly status: Status;
  /** Of its last transition; counts once the status is terminal. */
  readonly endedAt: Date;
  /** The end of its certificate; null where none was issued. */
  readonly notAfter: Date | null;
  readonly legalHoldAt: Date | null;
}

export interface RetentionDays {
  /** After the end of the certificate. */
  readonly issuedDays: number;
  /** After the end of a request that got none. */
  readonly unissuedDays: number;
}

export interface Due {
  readonly rule: Rule;
  /** null: no end is known yet. */
  readonly at: Date | null;
}

/** What intake itself keeps of a request; its peers know the end of the rest. */
export const intakeKinds = [
  'REQUEST_DATA',
  'EVIDENCE',
  'PASSWORD',
  'LINK',
  'MESSAGES',
  'TERMS_ACCEPTANCE',
] as const satisfies readonly retentionContract.HoldingKind[];
export type IntakeKind = (typeof intakeKinds)[number];

type Stage = 'open' | 'unissued' | 'issued';

const proof = ['REQUEST_DATA', 'EVIDENCE', 'MESSAGES', 'TERMS_ACCEPTANCE'] as const;
function all<R extends Rule>(rule: R) {
  return Object.fromEntries(proof.map((kind) => [kind, rule])) as Record<(typeof proof)[number], R>;
}

/**
 * The table. Once its request has ended without a certificate a link opens nothing, and still tells the applicant so; that of an
 * issued request shows the certificate, and afterwards that the download has ended. So its hash stays with the record.
 */
const rules: Readonly<Record<Stage, Readonly<Record<IntakeKind, Rule>>>> = {
  open: { ...all('UNTIL_END'), PASSWORD: 'UNTIL_END', LINK: 'UNTIL_END' },
  unissued: { ...all('AFTER_END'), PASSWORD: 'AT_END', LINK: 'AFTER_END' },
  issued: { ...all('AFTER_CERTIFICATE'), PASSWORD: 'AT_END', LINK: 'AFTER_CERTIFICATE' },
};

function after(date: Date | null, days: number): Date | null {
  return date && new Date(date.getTime() + days * DAY_MS);
}

/** A certificate ends after it was issued, whatever is said of it. */
function latest(notAfter: Date | null, endedAt: Date): Date | null {
  return notAfter !== null && notAfter < endedAt ? endedAt : notAfter;
}

const instants: {
  readonly [R in Rule]?: (subject: RetentionSubject, days: RetentionDays) => Date | null;
} = {
  AT_END: ({ endedAt }) => endedAt,
  AFTER_END: ({ endedAt }, { unissuedDays }) => after(endedAt, unissuedDays),
  AFTER_CERTIFICATE: ({ notAfter, endedAt }, { issuedDays }) => after(latest(notAfter, endedAt), issuedDays),
};

function stageOf({ status }: RetentionSubject): Stage {
  if (!isTerminal(status)) return 'open';
  return status === 'GENERATED' ? 'issued' : 'unissued';
}

/**
 * How long each kind of data of a request is kept. A legal hold stops every clock; what is destroyed in the
 * transaction that ends the request has none.
 */
export function retentionOf(
  subject: RetentionSubject,
  days: RetentionDays,
): Readonly<Record<IntakeKind, Due>> {
  const stage = rules[stageOf(subject)];
  const due = (kind: IntakeKind): Due => {
    const rule = stage[kind];
    if (subject.legalHoldAt !== null && rule !== 'AT_END') return { rule: 'LEGAL_HOLD', at: null };
    return { rule, at: instants[rule]?.(subject, days) ?? null };
  };
  return Object.fromEntries(intakeKinds.map((kind) => [kind, due(kind)])) as Record<IntakeKind, Due>;
}

/** The column's value: a legal hold keeps the sweeper away by itself and leaves the instant as it is. */
export function evidenceDueAt(
  subject: Omit<RetentionSubject, 'legalHoldAt'>,
  days: RetentionDays,
): Date | null {
  return retentionOf({ ...subject, legalHoldAt: null }, days).EVIDENCE.at;
}
