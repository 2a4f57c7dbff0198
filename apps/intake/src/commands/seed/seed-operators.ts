import { type Database, insertEntriesSql, protectEntry, type RowGuard, statement } from '@rubrica/database';
import type { Operator } from '../../access/operators/operator.entity.ts';
import { hashPassword } from '../../access/passwords/password-hash.ts';
import type { Seed } from './seed-file.ts';

/** Who is named at setup was made by nobody: `made_by` stays empty. */
const insertOperator = statement<
  Omit<Operator, 'createdAt' | 'madeBy' | 'language'> & { readonly entries: string }
>({
  name: 'seed-operator',
  sql: `
with added as (
  insert into operator (id, email, password_hash, role, enabled, gen, version, mac)
  values (:id, :email, :passwordHash, :role, :enabled, :gen, :version, :mac)
  on conflict do nothing returning id
)
${insertEntriesSql({ entries: ':entries', where: 'exists (select from added)' })} returning 1`,
});

/** Inserts the first operators where they are absent. @returns how many were inserted */
export async function seedOperators(
  {
    sql,
    rows,
  }: {
    readonly sql: Pick<Database, 'execute' | 'entries'>;
    readonly rows: Pick<RowGuard, 'protect'>;
  },
  operators: Seed['operators'],
): Promise<number> {
  let inserted = 0;
  for (const { id, email, password, role } of operators) {
    const passwordHash = await hashPassword(password);
    const operator = { id, email: email.toLowerCase(), passwordHash, role, enabled: true, gen: 1 };
    const guarded = rows.protect('operator', { ...operator, madeBy: [] });
    const entry = protectEntry(sql.entries, {
      actor: 'service:intake-provision',
      action: 'operators.create',
      target: `operator:${id.toLowerCase()}`,
      details: { email: operator.email, role },
    });
    const entries = JSON.stringify([entry]);
    inserted += (await insertOperator.run(sql, { ...operator, ...guarded, entries })).length;
  }
  return inserted;
}
