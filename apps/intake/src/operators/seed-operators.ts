import { type SqlRunner, statement } from '@rubrica/database';
import type { Seed } from '../seed-file.ts';
import type { Operator } from './operator.entity.ts';
import { hashPassword } from './password-hash.ts';

const insertOperator = statement<Pick<Operator, 'id' | 'email' | 'passwordHash' | 'role'>>({
  name: 'seed-operator',
  sql: `
with added as (
  insert into operator (id, email, password_hash, role) values (:id, :email, :passwordHash, :role)
  on conflict do nothing returning id
)
insert into audit (actor, action, target, details)
select 'service:intake-provision', 'operators.create', 'operator:' || id,
  jsonb_build_object('email', :email::text, 'role', :role::text)
from added returning 1`,
});

/** Inserts the first operators where they are absent. @returns how many were inserted */
export async function seedOperators(sql: SqlRunner, operators: Seed['operators']): Promise<number> {
  let inserted = 0;
  for (const { id, email, password, role } of operators) {
    const operator = { id, email: email.toLowerCase(), passwordHash: await hashPassword(password), role };
    inserted += (await insertOperator.run(sql, operator)).length;
  }
  return inserted;
}
