import type { RowGuard } from '@rubrica/database';
import { auditLog } from '../audit-log.ts';
import { isAuthentic } from '../is-authentic.ts';
import type { SentCode } from './code-rules.ts';

/** A code as JSON within a row: instants are text. */
export interface CodeRow extends Omit<SentCode, 'sentAt' | 'expiresAt' | 'usedAt'> {
  readonly sentAt: string;
  readonly expiresAt: string;
  readonly usedAt: string | null;
  /** The whole row, which its MAC is checked against. */
  readonly stored: Readonly<Record<string, unknown>>;
}

/** Audit action of a wrong code. */
export const wrongCodeAction = 'claims.wrongCode';

/**
 * Wrong tries in the audit log, which nobody can take back: who writes to the tables can put a code's row back as it was. The action
 * is compared so that no index serves it: a request has few rows, and there may be many wrong codes.
 */
const wrongTriesSql = `greatest(wrong_tries, (
  select count(*) from audit where (${auditLog.expressions.requestId}) = claim_code.request_id::text
    and action || '' = '${wrongCodeAction}' and details ->> 'codeId' = claim_code.id::text))`;

/** Codes of `request` since `:since`, old to new, as a JSON array. @param condition SQL over `claim_code` */
export function codesSql(condition: string): string {
  return `coalesce((
    select jsonb_agg(jsonb_build_object('id', id, 'purpose', purpose, 'sentAt', sent_at, 'expiresAt', expires_at,
      'digest', digest, 'sealedKey', sealed_key, 'wrongTries', ${wrongTriesSql}, 'usedAt', used_at,
      'stored', to_jsonb(claim_code)) order by sent_at, id)
    from claim_code where claim_code.request_id = request.id and sent_at > :since and ${condition}
  ), '[]')`;
}

/** Codes of revocations, of renewals and of all else of a request count apart, and end apart; reads `:purpose`. */
export const ofSamePurpose = `case when purpose in ('claim', 'download') then 'claim' else purpose end =
    case when :purpose::text in ('claim', 'download') then 'claim' else :purpose::text end`;

/** Codes with their instants. One that this service has not written is over; it counts as sent. */
export function toCodes(rows: readonly CodeRow[], guard: Pick<RowGuard, 'isIntact'>): SentCode[] {
  return rows.map(({ stored, ...code }) => {
    const isOver = code.digest === null || !isAuthentic(guard, 'claim_code', stored);
    return {
      ...code,
      ...(isOver ? { digest: null, sealedKey: null } : {}),
      sentAt: new Date(code.sentAt),
      expiresAt: new Date(code.expiresAt),
      usedAt: code.usedAt === null ? null : new Date(code.usedAt),
    };
  });
}
