import { type SqlTarget, toSqlRunner } from '@rubrica/database/connection';
import { type EntryGuard, findEntryGuard } from '@rubrica/database/entries';
import { type AuditLog, chainStartAction } from './audit-table.ts';

/**
 * Table of a standard log, for migrations of services, before `auditChainSql`. Never edit; a change needs a new
 * constant.
 */
export const auditTableSql = `
create table audit (
  id bigint generated always as identity primary key,
  at timestamptz not null default now(),
  actor text not null,
  action text not null,
  target text not null,
  reason text,
  details jsonb not null default '{}'
);
`;

/**
 * Describes the log of a service with `auditTableSql`. The request of a row is its target, or is named in its details.
 */
export function standardAuditLog<Service extends string>(service: Service): AuditLog<Service> {
  return {
    table: {
      service,
      name: 'audit',
      id: 'id',
      // Their order is a part of every hash and never changes.
      columns: [
        { name: 'id', kind: 'text' },
        { name: 'at', kind: 'instant' },
        { name: 'actor', kind: 'text' },
        { name: 'action', kind: 'text' },
        { name: 'target', kind: 'text' },
        { name: 'reason', kind: 'text' },
        { name: 'details', kind: 'json' },
      ],
      chainStart: {
        actor: `service:${service}`,
        action: chainStartAction,
        target: `audit:${service}.audit`,
      },
    },
    expressions: {
      target: 'target',
      requestId: requestIdSql,
      reason: 'reason',
      details: 'details',
    },
  };
}

/** Compared as text: an index must not refuse a row because of its content. */
const requestIdSql = `coalesce(case when target like 'request:%' then substr(target, 9) end, details ->> 'requestId')`;

/** Decision, as a standard log stores it. */
export interface AuditEntry {
  /** Actor: `operator:<email>`, `partner:<client id>` or `service:<name>`. */
  readonly actor: string;
  /** Action, for example `partners.update`. */
  readonly action: string;
  /** Object of the action, for example `partner:<id>`. */
  readonly target: string;
  readonly reason?: string | undefined;
  /** Further facts, never a secret. */
  readonly details?: Readonly<Record<string, unknown>>;
}

/** Converts an entry to columns of a standard log, in the same form for every writer. */
function toEntryColumns({ actor, action, target, reason, details }: AuditEntry) {
  return { actor, action, target, reason: reason ?? null, details: JSON.stringify(details ?? {}) };
}

/** Adds the MAC to an entry, in the form that `insertEntriesSql` reads. */
export function protectEntry(entries: EntryGuard, entry: AuditEntry): ProtectedEntry {
  const { details, ...columns } = toEntryColumns(entry);
  const { entryId, entryMac } = entries.protect({ ...columns, details });
  return { ...columns, details: JSON.parse(details), entry_id: entryId, mac: entryMac };
}

export interface ProtectedEntry extends Readonly<Record<string, unknown>> {
  readonly entry_id: string;
  readonly mac: string;
}

/**
 * Builds SQL that inserts entries from a JSON array of `ProtectedEntry`, as a part of a larger statement.
 * @param options.entries the parameter
 * @param options.where condition; it may name a column of `entry`, for example `target`
 */
export function insertEntriesSql(options: { readonly entries: string; readonly where?: string }): string {
  const { entries, where = 'true' } = options;
  return `insert into audit (actor, action, target, reason, details, entry_id, mac)
  select entry.actor, entry.action, entry.target, entry.reason, entry.details, entry.entry_id, entry.mac
  from jsonb_to_recordset(${entries}::jsonb)
    as entry (actor text, action text, target text, reason text, details jsonb, entry_id uuid, mac text)
  where ${where}`;
}

const insertEntries = insertEntriesSql({ entries: '$1' });

/** Records a decision. In the transaction of the change, neither exists without the other. */
export async function recordAudit(target: SqlTarget, entry: AuditEntry): Promise<void> {
  await recordAudits(target, [entry]);
}

export async function recordAudits(target: SqlTarget, entries: readonly AuditEntry[]): Promise<void> {
  const guard = findEntryGuard(target);
  const rows = entries.map((entry) => protectEntry(guard, entry));
  await toSqlRunner(target).execute(insertEntries, [JSON.stringify(rows)]);
}
