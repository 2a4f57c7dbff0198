import type { SentCode } from './code-rules.ts';

/** A code as JSON within a row: instants are text. */
export interface CodeRow extends Omit<SentCode, 'sentAt' | 'expiresAt' | 'usedAt'> {
  readonly sentAt: string;
  readonly expiresAt: string;
  readonly usedAt: string | null;
}

/** Codes of revocations, of renewals and of all else of a request count apart, and end apart; reads `:purpose`. */
export const ofSamePurpose = `case when purpose in ('claim', 'download') then 'claim' else purpose end =
    case when :purpose::text in ('claim', 'download') then 'claim' else :purpose::text end`;

export function toCodes(rows: readonly CodeRow[]): SentCode[] {
  return rows.map((code) => ({
    ...code,
    sentAt: new Date(code.sentAt),
    expiresAt: new Date(code.expiresAt),
    usedAt: code.usedAt === null ? null : new Date(code.usedAt),
  }));
}
