import { type EntityManager, LockMode } from '@mikro-orm/postgresql';
import { createText } from '@rubrica/contracts/error-texts/create-text';
import type { FactorKind } from '@rubrica/contracts/operators/factors';
import type { RowGuard } from '@rubrica/database/guarded';
import { type StatementTarget, statement } from '@rubrica/database/statement';
import { AppError } from '@rubrica/process/errors';
import { OperatorFactorEntity } from './factor.entity.ts';
import { FactorMarkEntity } from './factor-mark.entity.ts';

/**
 * Marks the factors that an operator has from now on. Call it in the transaction that enrols or removes one,
 * with the factors that `assertFactorsIntact` returned there and the change applied. A second read may return
 * fewer factors, or others. The caller has locked the operator.
 */
export async function markFactors(
  em: EntityManager,
  operatorId: string,
  factors: readonly Pick<VerifiedFactor, 'id'>[],
): Promise<void> {
  await em.flush();
  const factorIds = sortIds(factors);
  const options = { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true } as const;
  const mark = await em.findOne(FactorMarkEntity, { id: operatorId }, options);
  if (mark) mark.factorIds = factorIds;
  else em.create(FactorMarkEntity, { id: operatorId, factorIds });
  await em.flush();
}

const insertFirst = statement<{
  readonly id: string;
  readonly factorIds: string;
  readonly version: number;
  readonly mac: string;
}>({
  name: 'insert-factor-mark',
  sql: `insert into operator_factor_mark (id, factor_ids, version, mac)
    values (:id, :factorIds::jsonb, :version, :mac) on conflict do nothing`,
});

/**
 * Marks the factors of an operator who enrolled them before marks existed, once one of them was shown.
 * @param factors returned by `assertFactorsIntact`
 */
export async function markFirst(
  em: EntityManager,
  { operatorId, factors }: { readonly operatorId: string; readonly factors: readonly VerifiedFactor[] },
  { rows }: { readonly rows: Pick<RowGuard, 'protect'> },
): Promise<void> {
  const mark = { id: operatorId, factorIds: sortIds(factors) };
  const guarded = rows.protect(FactorMarkEntity.meta.tableName, mark);
  await insertFirst.run(em, { ...mark, ...guarded, factorIds: JSON.stringify(mark.factorIds) });
}

const lockMark = statement<{ readonly id: string }, { readonly version: number }>({
  name: 'lock-factor-mark',
  sql: 'select version from operator_factor_mark where id = :id for update',
});
const writeMark = statement<{ readonly id: string; readonly version: number; readonly mac: string }>({
  name: 'empty-factor-mark',
  sql: `insert into operator_factor_mark (id, factor_ids, version, mac) values (:id, '[]', :version, :mac)
    on conflict (id) do update set factor_ids = excluded.factor_ids, version = excluded.version, mac = excluded.mac`,
});

/**
 * Marks that an operator has no factors, whatever the mark says now: a mark that this service has not written must not keep
 * administrators from resetting the factors. The caller has locked the operator.
 */
export async function emptyMark(
  em: EntityManager,
  operatorId: string,
  { rows }: { readonly rows: Pick<RowGuard, 'protect'> },
): Promise<void> {
  const [present] = await lockMark.run(em, { id: operatorId });
  const version = (present?.version ?? 0) + 1;
  const { mac } = rows.protect(FactorMarkEntity.meta.tableName, { id: operatorId, factorIds: [] }, version);
  await writeMark.run(em, { id: operatorId, version, mac });
}

/**
 * Enrolled factor that was intact when it was read. Decide by these alone: a second read may not find them.
 */
export interface VerifiedFactor {
  readonly id: string;
  readonly kind: FactorKind;
  /** Null for an app. */
  readonly credentialId: string | null;
}

/** Rows as `to_jsonb` gives them. */
interface MarkedFactors {
  /** Null for an operator without factors. */
  readonly mark: (Readonly<Record<string, unknown>> & { readonly factor_ids: readonly string[] }) | null;
  readonly factors: readonly StoredFactor[];
}
type StoredFactor = Readonly<Record<string, unknown>> & {
  readonly id: string;
  readonly kind: FactorKind;
  readonly credential_id: string | null;
};

/**
 * Reads mark and factors in one statement, so that they belong to one moment, whatever is written
 * concurrently.
 */
const findMarked = statement<{ readonly operatorId: string }, MarkedFactors>({
  name: 'find-marked-factors',
  sql: `select (
      select to_jsonb(mark) from operator_factor_mark mark where mark.id = :operatorId
    ) as mark, (
      select coalesce(jsonb_agg(to_jsonb(factor) order by factor.id), '[]') from operator_factor factor
      where factor.operator_id = :operatorId and factor.confirmed_at is not null
    ) as factors`,
});

/**
 * Refuses an operator of whom a factor was deleted or changed in the database: it would no longer be asked
 * for. A factor that the mark does not name was removed or replaced before, and does not count. Each case
 * raises the alarm of rows that are not authentic. An operator who enrolled before marks existed has none
 * until a factor is shown.
 * @returns the enrolled factors that the mark names
 * @throws AppError FORBIDDEN
 */
export async function assertFactorsIntact(
  target: StatementTarget,
  operatorId: string,
  { rows }: { readonly rows: Pick<RowGuard, 'isIntact' | 'reportFailed'> },
): Promise<readonly VerifiedFactor[]> {
  const [found] = await findMarked.run(target, { operatorId });
  const { mark, factors: stored } = found ?? { mark: null, factors: [] };
  const marked = mark && new Set(mark.factor_ids);
  const factors = stored.filter(({ id }) => marked === null || marked.has(id));
  const present = new Set(factors.map(({ id }) => id));
  const missing = (mark?.factor_ids ?? []).filter((id) => !present.has(id)).map((id) => ({ id }));
  const factorTable = OperatorFactorEntity.meta.tableName;
  const failed = [...factors, ...missing].filter((factor) => !rows.isIntact(factorTable, factor));
  for (const { id } of stored) if (!present.has(id)) rows.reportFailed({ table: factorTable, id });
  const isMarkIntact = mark === null || rows.isIntact(FactorMarkEntity.meta.tableName, mark);
  if (isMarkIntact && failed.length === 0) return factors.map(toVerifiedFactor);
  throw new AppError({
    code: 'FORBIDDEN',
    text: createText('operator.factorsTampered'),
  });
}

function toVerifiedFactor({ id, kind, credential_id: credentialId }: StoredFactor): VerifiedFactor {
  return { id, kind, credentialId };
}

function sortIds(factors: readonly Pick<VerifiedFactor, 'id'>[]): string[] {
  return factors.map(({ id }) => id).toSorted();
}
