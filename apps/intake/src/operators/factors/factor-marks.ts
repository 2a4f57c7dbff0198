import { type EntityManager, LockMode } from '@mikro-orm/postgresql';
import { type RowGuard, type StatementTarget, statement } from '@rubrica/database';
import { AppError } from '@rubrica/process';
import { OperatorFactorEntity } from './factor.entity.ts';
import { FactorMarkEntity } from './factor-mark.entity.ts';

/**
 * Marks the factors that an operator has now. Call it in the transaction that enrols or removes one, after
 * `assertNoneMissing`; the caller has locked the operator or the factors.
 */
export async function markFactors(em: EntityManager, operatorId: string): Promise<void> {
  await em.flush();
  const factorIds = await enrolledIds(em, operatorId);
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

/** Marks the factors of an operator who enrolled them before marks existed, once one of them was shown. */
export async function markFirst(
  em: EntityManager,
  operatorId: string,
  { rows }: { readonly rows: Pick<RowGuard, 'protect'> },
): Promise<void> {
  const mark = { id: operatorId, factorIds: await enrolledIds(em, operatorId) };
  const guarded = rows.protect(FactorMarkEntity.meta.tableName, mark);
  await insertFirst.run(em, { ...mark, ...guarded, factorIds: JSON.stringify(mark.factorIds) });
}

interface MarkedFactors {
  /** The mark as `to_jsonb` gives it. */
  readonly mark: Readonly<Record<string, unknown>> & { readonly factor_ids: readonly string[] };
  readonly factors: readonly (Readonly<Record<string, unknown>> & { readonly id: string })[];
}

/** One statement: beside an enrolment or a removal, mark and factors are those of one moment. */
const findMarked = statement<{ readonly operatorId: string }, MarkedFactors>({
  name: 'find-marked-factors',
  sql: `select to_jsonb(mark) as mark, (
      select coalesce(jsonb_agg(to_jsonb(factor)), '[]') from operator_factor factor
      where factor.operator_id = mark.id and factor.confirmed_at is not null
    ) as factors
    from operator_factor_mark mark where mark.id = :operatorId`,
});

/**
 * Refuses an operator of whom a factor was deleted or changed in the database: it would be asked for no more. Each raises
 * the alarm of rows that are not authentic. An operator who enrolled before marks existed has none until a
 * factor is shown.
 * @throws AppError FORBIDDEN
 */
export async function assertNoneMissing(
  target: StatementTarget,
  operatorId: string,
  { rows }: { readonly rows: Pick<RowGuard, 'isIntact'> },
): Promise<void> {
  const [found] = await findMarked.run(target, { operatorId });
  if (found === undefined) return;
  const { mark, factors } = found;
  const factorTable = OperatorFactorEntity.meta.tableName;
  const byId = new Map(factors.map((factor) => [factor.id, factor]));
  const isMissing = (id: string) => !rows.isIntact(factorTable, byId.get(id) ?? { id });
  const missing = mark.factor_ids.filter(isMissing);
  if (rows.isIntact(FactorMarkEntity.meta.tableName, mark) && missing.length === 0) return;
  throw new AppError({
    code: 'FORBIDDEN',
    publicMessage:
      'A second factor of this account was deleted or changed outside the service: another administrator has to reset its factors',
  });
}

async function enrolledIds(em: EntityManager, operatorId: string): Promise<string[]> {
  const enrolled = { operatorId, confirmedAt: { $ne: null } };
  const factors = await em.find(OperatorFactorEntity, enrolled, { orderBy: { id: 'asc' } });
  return factors.map(({ id }) => id);
}
