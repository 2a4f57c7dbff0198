import { storedEntrySql } from '@rubrica/audit/entries';
import { type StatementTarget, statement } from '@rubrica/database/statement';
import { auditLog } from './audit-log.ts';
import { type AuditedStatus, type FoldedStatus, foldStatus, type StatusEntry } from './audited-status.ts';

/**
 * Entries of a serial number that are read with others. A certificate has few; the role of the database can add any
 * number.
 */
const firstEntries = 20;
/** Entries in one page of all entries of a serial number; a trigger bounds the size of each. */
const pageEntries = 500;
/** Serial numbers with many entries whose status is kept. */
const maxKept = 1_000;
/** Age in minutes from which no earlier entry can appear: longer than any transaction of this service. */
const settledMinutes = 60;

const statusActions = ['certificate.revoked', 'certificate.held', 'certificate.released'] as const;
const isStatusAction = `action in (${statusActions.map((action) => `'${action}'`).join(', ')})`;

/** Builds SQL for the audit entries on the status of a certificate, in order. */
function entriesSql(condition: string, limit: number): string {
  return `coalesce((
    select jsonb_agg(jsonb_build_object('sequence', sequence, 'action', action, 'at', at, 'requestId', request_id,
      'detail', detail, 'entry', ${storedEntrySql(auditLog.table, 'audit_entry')}) order by sequence)
    from (select * from audit_entry where ${condition} and ${isStatusAction} order by sequence limit ${limit}) as audit_entry
), '[]')`;
}

/** Builds SQL for the first entries of a serial number. */
export function firstStatusEntriesSql(serial: string): string {
  return entriesSql(`audit_entry.serial = ${serial}`, firstEntries);
}

const findPage = statement<
  { serial: string; after: number },
  { entries: readonly StatusEntry[]; settledBefore: string }
>({
  name: 'status-entries',
  sql: `
select ${entriesSql('audit_entry.serial = :serial and audit_entry.sequence > :after::bigint', pageEntries)} as entries,
  now() - interval '${settledMinutes} minutes' as "settledBefore"`,
});

interface ReadEntries {
  readonly serial: string;
  /** First entries, by `firstStatusEntriesSql`. */
  readonly entries: readonly StatusEntry[];
  readonly guardedFrom: number | null;
}

interface KeptStatus {
  readonly through: number;
  readonly status: FoldedStatus;
}

export interface StatusEntries {
  /** Computes the audited status from all entries: the first ones, and where there are more, the others page by page. */
  fold(read: ReadEntries, target: StatementTarget): Promise<AuditedStatus>;
}

/**
 * Creates the reader. It keeps the status of serial numbers with many entries, because entries are never changed:
 * a million of them cost one reading and not one for each list.
 */
export function createStatusEntries({
  isProven,
}: {
  readonly isProven: (serial: string, entry: StatusEntry) => boolean;
}): StatusEntries {
  const kept = new Map<string, KeptStatus>();
  const keep = (serial: string, status: KeptStatus) => {
    kept.delete(serial);
    kept.set(serial, status);
    const [oldest] = kept.keys();
    if (kept.size > maxKept && oldest !== undefined) kept.delete(oldest);
  };
  return {
    async fold({ serial, entries, guardedFrom }, target) {
      const rules = { guardedFrom, isProven: (entry: StatusEntry) => isProven(serial, entry) };
      if (entries.length < firstEntries) return foldStatus(entries, rules);
      const known = kept.get(serial);
      let status = known?.status;
      for (let after = known?.through ?? 0, isSettled = true; ; ) {
        const [page] = await findPage.run(target, { serial, after });
        const found = page?.entries ?? [];
        status = foldStatus(found, rules, status);
        after = found.at(-1)?.sequence ?? after;
        const settledBefore = Date.parse(page?.settledBefore ?? '');
        isSettled &&= found.every(({ at }) => Date.parse(at) < settledBefore);
        if (isSettled && found.length > 0) keep(serial, { through: after, status });
        if (found.length < pageEntries) return status;
      }
    },
  };
}
