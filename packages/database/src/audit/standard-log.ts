import { runnerOf, type SqlTarget } from '../connection/sql-runner.ts';
import { chainStartAction } from './audit-table.ts';
import type { AuditLog } from './list-audit.ts';

/** The table of a standard log, for a service's migrations, before `auditChainSql`. Never edit; a change is a new piece. */
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

/** The log of a service that keeps `auditTableSql`. A row's request is its target, or else in its details. */
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

/** As text: an index must not refuse a row for what stands there. */
const requestIdSql = `coalesce(case when target like 'request:%' then substr(target, 9) end, details ->> 'requestId')`;

/** A decision, as a standard log keeps it. */
export interface AuditEntry {
  /** Who: `operator:<email>`, `partner:<client id>` or `service:<name>`. */
  readonly actor: string;
  /** What, such as `partners.update`. */
  readonly action: string;
  /** On what, such as `partner:<id>`. */
  readonly target: string;
  readonly reason?: string | undefined;
  /** Never a secret. */
  readonly details?: Readonly<Record<string, unknown>>;
}

/** Writes a decision down; in the transaction of the change, neither exists without the other. */
export async function recordAudit(
  target: SqlTarget,
  { actor, action, target: subject, reason, details }: AuditEntry,
): Promise<void> {
  await runnerOf(target).execute(
    'insert into audit (actor, action, target, reason, details) values ($1, $2, $3, $4, $5)',
    [actor, action, subject, reason ?? null, JSON.stringify(details ?? {})],
  );
}
