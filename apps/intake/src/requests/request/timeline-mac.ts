import { guardedSqlTable, type RowGuard } from '@rubrica/database/guarded';
import { type StatementTarget, statement } from '@rubrica/database/statement';
import { wasErasedSql } from './was-erased-sql.ts';

const guardedColumns = `'id', timeline.request_id, 'version', 1, 'mac', timeline.mac, 'at', at, 'trigger', trigger,
  'status', timeline.status, 'validation_status', timeline.validation_status, 'code', code, 'actor', actor, 'reason', reason`;

/**
 * Entries of the timeline that name a person or a reason; the id is that of the request. Verified where they
 * are shown.
 */
export const timelineTable = guardedSqlTable(
  'timeline',
  ['at', 'trigger', 'status', 'validationStatus', 'code', 'actor', 'reason'],
  {
    check: 'former-keys',
    source: {
      table: 'timeline',
      key: 'id',
      keyType: 'bigint',
      macColumn: 'mac',
      row: `jsonb_build_object(${guardedColumns})`,
      // An erasure has taken the reason of its entries.
      join: 'join request on request.id = timeline.request_id',
      where: `not (${wasErasedSql('request')})`,
    },
  },
);

/** Entry as it is shown. */
export interface TimelineEntry {
  readonly at: Date | string;
  readonly trigger: string;
  readonly status: string;
  readonly validationStatus: string;
  readonly code: string | null;
  readonly actor: string;
  readonly reason: string | null;
}

/** Text shown in place of an operator whose action nothing proves. */
export const unprovenActor = 'not authentic';

/**
 * Returns whether an entry names an operator or a reason. Other entries record steps of the service, and are
 * counted.
 */
function namesPerson({ actor, reason }: Pick<TimelineEntry, 'actor' | 'reason'>): boolean {
  return reason !== null || actor.startsWith('operator:');
}

/** Computes the MAC of an entry; null if it names neither a person nor a reason. */
export function protectEntry(
  rows: Pick<RowGuard, 'protect'>,
  { requestId: id, ...entry }: TimelineEntry & { readonly requestId: string },
): string | null {
  return namesPerson(entry) ? rows.protect('timeline', { id, ...entry }).mac : null;
}

interface FoundEntry {
  readonly entry: Readonly<Record<string, unknown>> & { readonly isFormer: boolean };
}

const find = statement<{ readonly requestId: string }, FoundEntry>({
  name: 'named-timeline-entries',
  sql: `
select jsonb_build_object(${guardedColumns},
  'isFormer', timeline.id <= timeline_id or (mac is null and now() < mixed_until)
    or (${wasErasedSql('request')} and request.validation_status <> 'MANUALLY_VALIDATING')) as entry
from timeline join request on request.id = request_id cross join data_upgrade
where request_id = :requestId and (reason is not null or actor like 'operator:%')
order by timeline.id limit 500`,
});

/** Builds the key of an entry from all that is shown of it. */
function toKey({ at, trigger, actor, reason }: Pick<TimelineEntry, 'at' | 'trigger' | 'actor' | 'reason'>) {
  return JSON.stringify([new Date(at).getTime(), trigger, actor, reason]);
}

/** Entries of a request that may be shown as they are. */
export interface ProvenEntries {
  isProven(entry: Pick<TimelineEntry, 'at' | 'trigger' | 'actor' | 'reason'>): boolean;
  /** Returns the reason that the operator gave at that moment; null if nothing proves one. */
  reasonOf(actor: string, at: Date | string): string | null;
}

/**
 * Reads the entries that name a person or a reason. An entry that this service has not written raises the
 * alarm and proves nothing. Entries that the upgrade found, and those of an erased request, have no MAC to
 * compare.
 */
export async function findProvenEntries(
  target: StatementTarget,
  rows: Pick<RowGuard, 'isIntact'>,
  requestId: string,
): Promise<ProvenEntries> {
  const found = await find.run(target, { requestId });
  const proven = found
    .map(({ entry }) => entry as unknown as TimelineEntry & FoundEntry['entry'])
    .filter((entry) => entry.isFormer || rows.isIntact('timeline', entry));
  const keys = new Set(proven.map(toKey));
  return {
    isProven: (entry) => !namesPerson(entry) || keys.has(toKey(entry)),
    reasonOf: (actor, at) =>
      proven.find((entry) => entry.actor === actor && new Date(entry.at).getTime() === new Date(at).getTime())
        ?.reason ?? null,
  };
}
