import type { SentCode } from './code-rules.ts';

/** A code as JSON within a row: instants are text. */
export interface CodeRow extends Omit<SentCode, 'sentAt' | 'expiresAt' | 'usedAt'> {
  readonly sentAt: string;
  readonly expiresAt: string;
  readonly usedAt: string | null;
}

export function toCodes(rows: readonly CodeRow[]): SentCode[] {
  return rows.map((code) => ({
    ...code,
    sentAt: new Date(code.sentAt),
    expiresAt: new Date(code.expiresAt),
    usedAt: code.usedAt === null ? null : new Date(code.usedAt),
  }));
}
