import type { SqlRunner } from '@rubrica/database';
import type { Seed } from '../seed-file.ts';
import { hashPassword } from './password-hash.ts';

const insertOperator = `
with added as (
  insert into operator (id, email, password_hash, role) values ($1, $2, $3, $4) on conflict do nothing returning id
)
insert into audit (actor, action, target, details)
select 'service:intake-provision', 'operators.create', 'operator:' || id,
  jsonb_build_object('email', $2::text, 'role', $4::text)
from added returning 1`;

/** Inserts the first operators where they are absent. @returns how many were inserted */
export async function seedOperators(sql: SqlRunner, operators: Seed['operators']): Promise<number> {
  let inserted = 0;
  for (const { id, email, password, role } of operators) {
    const params = [id, email.toLowerCase(), await hashPassword(password), role];
    inserted += (await sql.execute(insertOperator, params)).length;
  }
  return inserted;
}
