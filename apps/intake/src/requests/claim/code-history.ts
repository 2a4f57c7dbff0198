import type { EntityManager } from '@mikro-orm/postgresql';
import { storedEntrySql } from '@rubrica/audit/entries';
import { insertEntriesSql, protectEntry } from '@rubrica/audit/log';
import { DAY_MS } from '@rubrica/contracts/shared/durations';
import { type EntryGuard, findEntryGuard, type StoredEntry } from '@rubrica/database/entries';
import type { RowGuard } from '@rubrica/database/guarded';
import { statement } from '@rubrica/database/statement';
import { auditLog } from '../../base/audit-log.ts';
import { isAuthentic } from '../../base/is-authentic.ts';
import { deleteExpired } from '../../base/sweeper-task.ts';
import { type CodeHistory, type CodePurpose, codeRules, type SentCode } from './code-rules.ts';
import type { RevocationCaller } from './revocation/revocation-caller.ts';

/** Code as JSON within a row; instants are text. */
interface CodeRow extends Omit<SentCode, 'sentAt' | 'expiresAt' | 'usedAt'> {
  readonly sentAt: string;
  readonly expiresAt: string;
  readonly usedAt: string | null;
  /** Whole row, against which its MAC is checked. */
  readonly stored: Readonly<Record<string, unknown>>;
}

/** Codes of a request as JSON, with the tries of all its groups. */
export interface StoredCodeHistory {
  readonly codes: readonly CodeRow[];
  readonly tries: readonly {
    readonly codeId: string;
    /** Group of the try; null in an entry of a wrong code, from the time before each try had one. */
    readonly group: string | null;
    /**
     * Instant by the clock of the service, as in the codes; in entries of earlier releases by the clock of
     * the database.
     */
    readonly at: string;
    /** Entry itself, against which its MAC is checked. */
    readonly entry: StoredEntry;
  }[];
  readonly timelineSentAt: readonly string[];
}

/** Audit action of a try, which is written before the code is compared. */
const tryCodeAction = 'claims.tryCode';

/** Audit action of a wrong code, which is read and no longer written. */
const wrongCodeAction = 'claims.wrongCode';

/**
 * Group of codes whose tries count together. A stranger who asks by number has a group per browser, and no
 * part in another.
 */
export type CodeGroup = 'claim' | 'renew' | 'revoke:link' | `revoke:number:${string}`;

export function groupRevocations({
  way,
  browserSha256,
}: Pick<RevocationCaller, 'way' | 'browserSha256'>): CodeGroup {
  return way === 'link' ? 'revoke:link' : `revoke:number:${browserSha256 ?? ''}`;
}

/** SQL condition on steps of the timeline that record a sent code of a claim or its download. */
export const claimSendingsSql = `trigger in ('sendClaimCode', 'sendDownloadCode')`;

/**
 * Returns SQL that is true within a day of `:since`, with an hour for clocks that differ. This service has
 * written no later instant, and one would keep codes from being sent until it comes.
 */
export function withinDaySql(column: string): string {
  return `${column} > :since and ${column} < :since::timestamptz + interval '25 hours'`;
}

/**
 * Returns SQL of `StoredCodeHistory` of `request` since `:since`. The audit action is compared so that no
 * index serves it: a request has few entries, and there may be many tries.
 * @param of.codes SQL condition over `claim_code`
 * @param of.sendings SQL condition over `timeline`
 */
export function codeHistorySql(of: { readonly codes: string; readonly sendings: string }): string {
  return `jsonb_build_object(
    'codes', coalesce((
      select jsonb_agg(jsonb_build_object('id', id, 'purpose', purpose, 'sentAt', sent_at, 'expiresAt', expires_at,
        'digest', digest, 'sealedKey', sealed_key, 'tries', wrong_tries, 'usedAt', used_at,
        'stored', to_jsonb(claim_code)) order by sent_at, id)
      from claim_code where claim_code.request_id = request.id and ${withinDaySql('sent_at')} and ${of.codes}
    ), '[]'),
    'tries', coalesce((
      select jsonb_agg(jsonb_build_object('codeId', details ->> 'codeId', 'group', details ->> 'group', 'at', coalesce(details ->> 'at', at::text),
        'entry', ${storedEntrySql(auditLog.table, 'audit')}))
      from audit where (${auditLog.expressions.requestId}) = request.id::text
        and action || '' in ('${tryCodeAction}', '${wrongCodeAction}')
        and (at > :since or details ->> 'at' > to_char(:since at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
    ), '[]'),
    'timelineSentAt', coalesce((
      select jsonb_agg(at order by at) from timeline
      where timeline.request_id = request.id and ${withinDaySql('at')} and ${of.sendings}
    ), '[]'))`;
}

/**
 * SQL condition that groups purposes: codes of revocations, of renewals and of all else of a request count
 * and end separately. It reads `:purpose`.
 */
export const isSamePurposeSql = `case when purpose in ('claim', 'download') then 'claim' else purpose end =
    case when :purpose::text in ('claim', 'download') then 'claim' else :purpose::text end`;

/**
 * Converts the codes of a group with their instants. A code that this service has not written is over; it
 * counts as sent.
 */
export function toCodeHistory(
  { codes, tries: stored, timelineSentAt }: StoredCodeHistory,
  {
    group,
    rows,
    entries,
  }: {
    readonly group: CodeGroup;
    readonly rows: Pick<RowGuard, 'isIntact'>;
    readonly entries: Pick<EntryGuard, 'counts'>;
  },
): CodeHistory {
  // A try that this service did not count locks nobody out.
  const tries = stored.filter(({ entry }) => entries.counts(entry));
  const counted = codes.map((code) => toCode(code, tries, rows));
  const codeIds = new Set(codes.map(({ id }) => id));
  const logged = tries
    .filter((entry) => (entry.group === null ? codeIds.has(entry.codeId) : entry.group === group))
    .map(({ at }) => new Date(at));
  const unlogged = counted.flatMap(({ id, tries: count, sentAt }) =>
    Array<Date>(Math.max(0, count - tries.filter(({ codeId }) => codeId === id).length)).fill(sentAt),
  );
  return {
    codes: counted,
    triedAt: [...logged, ...unlogged].sort((entry, next) => entry.getTime() - next.getTime()),
    timelineSentAt: timelineSentAt.map((at) => new Date(at)),
  };
}

/**
 * Converts a code. The count in its row may be set back, the audit log cannot; the previous release counts in
 * rows alone.
 */
function toCode(
  { stored, ...code }: CodeRow,
  tries: StoredCodeHistory['tries'],
  rows: Pick<RowGuard, 'isIntact'>,
): SentCode {
  const isOver = code.digest === null || !isAuthentic(rows, 'claim_code', stored);
  return {
    ...code,
    ...(isOver ? { digest: null, sealedKey: null } : {}),
    tries: Math.max(code.tries, tries.filter(({ codeId }) => codeId === code.id).length),
    sentAt: new Date(code.sentAt),
    expiresAt: new Date(code.expiresAt),
    usedAt: code.usedAt === null ? null : new Date(code.usedAt),
  };
}

interface CountedTries {
  readonly requestId: string;
  /** Codes with which the entered one is going to be compared. */
  readonly codeIds: readonly string[];
  readonly purpose: CodePurpose;
  readonly group: CodeGroup;
  readonly now: Date;
}

/**
 * Counts a try of codes in a transaction that commits before they are compared. A try that is rolled back, or
 * whose session is ended, has compared nothing. The audit entry counts, because it depends on no row that can
 * be deleted or restored. A try is counted whether it is right or wrong: a right one is one of the five of
 * its code.
 */
const countStatement = statement<Pick<CountedTries, 'codeIds'> & { readonly entries: string }>({
  name: 'count-code-tries',
  // Copies of the previous release read the count of the row.
  sql: `
with counted as (
  update claim_code set wrong_tries = least(wrong_tries + 1, ${codeRules.tries}) where id = any(:codeIds::uuid[])
)
${insertEntriesSql({ entries: ':entries' })}`,
});

/** Counts one try of each of these codes. */
export async function countTries(
  em: EntityManager,
  { requestId, codeIds, purpose, group, now }: CountedTries,
): Promise<void> {
  const guard = findEntryGuard(em);
  const entries = codeIds.map((codeId) =>
    protectEntry(guard, {
      actor: 'service:intake',
      action: tryCodeAction,
      target: `request:${requestId}`,
      details: { codeId, purpose, group, at: now.toISOString() },
    }),
  );
  await countStatement.run(em, { codeIds, entries: JSON.stringify(entries) });
}

/**
 * Deletes codes that no longer count: those of the last day do, with their wrong tries. The timeline records
 * for good when a code was sent and used.
 */
export const forgetCodes = deleteExpired({
  name: 'forget-claim-codes',
  table: 'claim_code',
  key: 'id',
  at: 'sent_at',
  keptMs: 2 * DAY_MS,
});
