import type {
  AnyEntity,
  EntityManager,
  EntityName,
  EventArgs,
  EventSubscriber,
  FilterQuery,
  FindOptions,
} from '@mikro-orm/postgresql';
import { createText } from '@rubrica/contracts/error-texts/create-text';
import { DAY_MS, HOUR_MS } from '@rubrica/contracts/shared/durations';
import { AppError } from '@rubrica/process/errors';
import { type GuardedTable, macData, toEntityRow } from './guarded-table.ts';

/** MACs of the service's keyring. Their key is in its key file, outside of the database. */
export interface RowMacs {
  mac(data: string): string;
  isMac(data: string, mac: string): boolean;
  isPresentMac(mac: string): boolean;
}

/** Row that is not as the service wrote it. */
export interface FailedRow {
  readonly table: string;
  readonly id: string;
}

export interface RowGuard {
  /**
   * Subscriber for `createDatabase`: creates the MAC of every row written through the ORM, and checks every row read.
   */
  readonly subscriber: EventSubscriber;
  /**
   * Returns the columns `version` and `mac` of a row that SQL text writes, with all its guarded fields.
   * @param version version of the row; 1 for a new one
   */
  protect(
    table: string,
    row: Readonly<Record<string, unknown>>,
    version?: number,
  ): { readonly version: number; readonly mac: string };
  /**
   * Tells whether a row that SQL text has read (`to_jsonb(<table>)`) is as the service wrote it; raises the alarm if
   * not.
   */
  isIntact(table: string, row: Readonly<Record<string, unknown>>): boolean;
  /** Compares the MAC without an alarm, for statements that are stored longer than the key of their MAC. */
  hasMac(table: string, row: Readonly<Record<string, unknown>>): boolean;
  /** Raises the alarm for a row that other evidence contradicts: it was deleted, or restored to a former state. */
  reportFailed(row: FailedRow): void;
  /** Tells whether an entity that was read for display failed. */
  hasFailed(entity: object): boolean;
  /**
   * Marks an entity manager as one for display, which returns failed rows as disabled. Any other entity manager throws
   * for them.
   */
  forShowing<Manager extends EntityManager>(em: Manager): Manager;
  /** Lists rows that failed at their last check, or within the last day; at most a thousand. */
  failed(): readonly FailedRow[];
}

const maxRemembered = 1_000;

interface Failure {
  readonly row: FailedRow;
  /** Time of its last failure. */
  readonly atMs: number;
  readonly isIntactAgain: boolean;
  readonly alarmedAtMs: number;
}

/**
 * Creates the guard of rows that grant rights. Such a row is trusted for its MAC over table, id, version and the fields
 * that grant rights, not for its existence in the database. A user with the database's rights alone can change such a
 * row, and it then counts as disabled.
 *
 * A statement that forgets the MAC grants no right: its row fails here. An older row that was restored completely, MAC
 * included, is not detected here: triggers refuse it (`forwardRowsSql`).
 */
export function createRowGuard(options: {
  readonly keys: RowMacs;
  readonly tables: readonly GuardedTable[];
  /** Raises the alarm; once for each row, and again after it was found intact in between, at most once an hour. */
  onFailed(row: FailedRow): void;
  readonly nowMs?: () => number;
}): RowGuard {
  const { keys, tables, nowMs = Date.now } = options;
  const byName = new Map(tables.map((table) => [table.name, table]));
  const failed = new Map<string, Failure>();
  const failedEntities = new WeakSet<object>();
  const showing = new WeakSet<object>();

  function hasMac(table: GuardedTable, row: Readonly<Record<string, unknown>>): boolean {
    return typeof row.mac === 'string' && keys.isMac(macData(table, row), row.mac);
  }
  function judge(table: GuardedTable, row: Readonly<Record<string, unknown>>): boolean {
    const { id } = row;
    const intact = hasMac(table, row);
    const found = { table: table.name, id: String(id) };
    if (intact) noteIntact(toKey(found));
    else reportFailed(found);
    return intact;
  }
  /** Records that a failed row is intact. It stays listed: an attacker who changed and restored it can do so again. */
  function noteIntact(key: string): void {
    const failure = failed.get(key);
    if (failure && !failure.isIntactAgain) failed.set(key, { ...failure, isIntactAgain: true });
  }
  function reportFailed(row: FailedRow): void {
    const key = toKey(row);
    const known = failed.get(key);
    if (known === undefined) forgetOld();
    const now = nowMs();
    // A row that one piece of evidence contradicts and another does not must not raise an alarm at each check.
    const isDue = known === undefined || (known.isIntactAgain && now - known.alarmedAtMs >= HOUR_MS);
    const alarmedAtMs = isDue ? now : known.alarmedAtMs;
    if (known !== undefined || failed.size < maxRemembered)
      failed.set(key, { row, atMs: now, isIntactAgain: false, alarmedAtMs });
    if (isDue) options.onFailed(row);
  }
  function forgetOld(): void {
    const before = nowMs() - DAY_MS;
    for (const [key, { atMs, isIntactAgain }] of failed)
      if (isIntactAgain && atMs < before) failed.delete(key);
  }
  function tableOf(name: string): GuardedTable {
    const table = byName.get(name);
    if (table === undefined) throw new Error(`${name} is no guarded table`);
    return table;
  }
  function write(entity: AnyEntity, name: string, version: number): void {
    const table = tableOf(name);
    entity.version = version;
    entity.mac = keys.mac(macData(table, entity));
  }
  const subscriber: EventSubscriber = {
    getSubscribedEntities: () => tables.flatMap(({ entity }) => entity ?? []),
    onLoad({ entity, em, meta }: EventArgs<AnyEntity>) {
      if (judge(tableOf(meta.tableName), entity)) return;
      failedEntities.add(entity);
      if (!showing.has(em)) {
        // Otherwise a second read of the same id would find it in memory and skip this check.
        em.getUnitOfWork().unsetIdentity(entity);
        const failed = failedRows.get(em);
        if (failed === undefined) throw notAuthentic(meta.tableName);
        failed.add(entity);
        return;
      }
      // A row for display is never written back: `beforeUpdate` refuses it.
      if ('enabled' in entity) entity.enabled = false;
    },
    beforeCreate: ({ entity, meta }: EventArgs<AnyEntity>) => write(entity, meta.tableName, 1),
    beforeUpdate({ entity, meta, changeSet }: EventArgs<AnyEntity>) {
      // A new MAC over another's change would make it a row of the service.
      if (failedEntities.has(entity)) throw notAuthentic(meta.tableName);
      write(entity, meta.tableName, Number(changeSet?.originalEntity?.version) + 1);
    },
  };
  return {
    subscriber,
    protect(name, row, version = 1) {
      return { version, mac: keys.mac(macData(tableOf(name), { ...row, version })) };
    },
    hasMac: (name, row) => hasMac(tableOf(name), toEntityRow(tableOf(name), row)),
    reportFailed,
    isIntact: (name, row) => judge(tableOf(name), toEntityRow(tableOf(name), row)),
    hasFailed: (entity) => failedEntities.has(entity),
    forShowing(em) {
      showing.add(em);
      return em;
    },
    failed() {
      forgetOld();
      return [...failed.values()].map(({ row }) => row);
    },
  };
}

function toKey({ table, id }: FailedRow): string {
  return `${table} ${id}`;
}

class RowNotAuthentic extends AppError {}

function notAuthentic(table: string): RowNotAuthentic {
  return new RowNotAuthentic({
    code: 'FORBIDDEN',
    text: createText('operator.rowTampered', { table }),
  });
}

/** Rows that failed while an entity manager reads for `findIntact`. */
const failedRows = new WeakMap<object, Set<object>>();

/**
 * Finds rows without those that failed, each of which raises its alarm. For changes that end rights: a failed row gives
 * no rights, and must not prevent the change of the others.
 */
export async function findIntact<Entity extends object>(
  em: EntityManager,
  entity: EntityName<Entity>,
  where: FilterQuery<Entity>,
  options: FindOptions<Entity> = {},
): Promise<Entity[]> {
  const failed = new Set<object>();
  failedRows.set(em, failed);
  try {
    const found = await em.find<Entity>(entity, where as never, options as never);
    return found.filter((row) => !failed.has(row));
  } finally {
    failedRows.delete(em);
  }
}

/** Returns null for a row that failed, for entry points that must not reveal the reason. */
export async function ifIntact<Row>(reading: Promise<Row>): Promise<Row | null> {
  return reading.catch((error: unknown) => {
    if (error instanceof RowNotAuthentic) return null;
    throw error;
  });
}
