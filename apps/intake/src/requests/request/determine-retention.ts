import type * as retentionContract from '@rubrica/contracts/services/schemas/retention';
import { DAY_MS } from '@rubrica/contracts/shared/durations';
import type { Status } from '@rubrica/contracts/shared/enumerations';
import { isTerminal } from './state-machine.ts';

type Rule = retentionContract.RetentionRule;

/** Columns of a request that determine how long its data are kept. */
export interface RetentionSubject {
  readonly status: Status;
  /** Time of its last transition; it counts once the status is terminal. */
  readonly endedAt: Date;
  /** End of its certificate; null if none was issued. */
  readonly notAfter: Date | null;
  readonly legalHoldAt: Date | null;
}

export interface RetentionDays {
  /** Days after the end of the certificate. */
  readonly issuedDays: number;
  /** Days after the end of a request without a certificate. */
  readonly unissuedDays: number;
}

export interface RetentionEnd {
  readonly rule: Rule;
  /** Null while no end is known. */
  readonly at: Date | null;
}

/** Kinds of data that intake itself keeps of a request; its peers know the end of the rest. */
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
function assignRule<R extends Rule>(rule: R) {
  return Object.fromEntries(proof.map((kind) => [kind, rule])) as Record<(typeof proof)[number], R>;
}

/**
 * Rules by stage and kind. The link of a request that ended without a certificate opens nothing, but still
 * tells the applicant so. The link of an issued request shows the certificate, and later that the download
 * has ended. So its hash stays with the record.
 */
const rules: Readonly<Record<Stage, Readonly<Record<IntakeKind, Rule>>>> = {
  open: { ...assignRule('UNTIL_END'), PASSWORD: 'UNTIL_END', LINK: 'UNTIL_END' },
  unissued: { ...assignRule('AFTER_END'), PASSWORD: 'AT_END', LINK: 'AFTER_END' },
  issued: { ...assignRule('AFTER_CERTIFICATE'), PASSWORD: 'AT_END', LINK: 'AFTER_CERTIFICATE' },
};

function addDays(date: Date | null, days: number): Date | null {
  return date && new Date(date.getTime() + days * DAY_MS);
}

/** Returns the end of the certificate, which is never before its issuance, whatever is stored. */
function latest(notAfter: Date | null, endedAt: Date): Date | null {
  return notAfter !== null && notAfter < endedAt ? endedAt : notAfter;
}

const instants: {
  readonly [R in Rule]?: (subject: RetentionSubject, days: RetentionDays) => Date | null;
} = {
  AT_END: ({ endedAt }) => endedAt,
  AFTER_END: ({ endedAt }, { unissuedDays }) => addDays(endedAt, unissuedDays),
  AFTER_CERTIFICATE: ({ notAfter, endedAt }, { issuedDays }) =>
    addDays(latest(notAfter, endedAt), issuedDays),
};

function determineStage({ status }: RetentionSubject): Stage {
  if (!isTerminal(status)) return 'open';
  return status === 'GENERATED' ? 'issued' : 'unissued';
}

/**
 * Determines how long each kind of data of a request is kept. A legal hold stops every clock, except of data
 * that are destroyed in the transaction that ends the request.
 */
export function determineRetention(
  subject: RetentionSubject,
  days: RetentionDays,
): Readonly<Record<IntakeKind, RetentionEnd>> {
  const stage = rules[determineStage(subject)];
  const due = (kind: IntakeKind): RetentionEnd => {
    const rule = stage[kind];
    if (subject.legalHoldAt !== null && rule !== 'AT_END') return { rule: 'LEGAL_HOLD', at: null };
    return { rule, at: instants[rule]?.(subject, days) ?? null };
  };
  return Object.fromEntries(intakeKinds.map((kind) => [kind, due(kind)])) as Record<IntakeKind, RetentionEnd>;
}

/** Computes the column's value: a legal hold alone keeps the sweeper away and leaves the instant as it is. */
export function computeEvidenceDueAt(
  subject: Omit<RetentionSubject, 'legalHoldAt'>,
  days: RetentionDays,
): Date | null {
  return determineRetention({ ...subject, legalHoldAt: null }, days).EVIDENCE.at;
}
