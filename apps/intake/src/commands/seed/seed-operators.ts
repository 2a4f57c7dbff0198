import { insertEntriesSql, protectEntry } from '@rubrica/audit/log';
import type { Database } from '@rubrica/database/connection';
import type { RowGuard } from '@rubrica/database/guarded';
import { statement } from '@rubrica/database/statement';
import type { Operator } from '../../access/operators/operator.entity.ts';
import { hashPassword } from '../../access/passwords/password-hash.ts';
import type { Seed } from './seed-file.ts';

/** Inserts an operator. An operator named at setup has no creator: `made_by` stays empty. */
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

/** Inserts the first operators that are missing. @returns the number of inserted operators */
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
