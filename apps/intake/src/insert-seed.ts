import { scopes } from '@rubrica/contracts/shared/enumerations';
import type { SqlRunner } from '@rubrica/database';
import { type Keyring, uuidv7 } from '@rubrica/process';
import { sha256Hex } from './claim/claim-link.ts';
import { hashPassword } from './operators/password-hash.ts';
import type { Seed } from './seed-file.ts';

const actor = 'service:intake-provision';

/** Partner, webhook secret and audit row in one statement; a partner that is there stays as operators have left it. */
const insertPartner = `
with added as (
  insert into partner (id, client_id, client_secret_sha256, name, email, password_configuration, review_policy, scopes)
  values ($1, $2, $3, $4, $5, $6, $7, $8) on conflict do nothing returning id
), secret as (insert into webhook_secret (id, partner_id, sealed) select $9, id, $10 from added)
insert into audit (actor, action, target, details)
select '${actor}', 'partners.create', 'partner:' || id, jsonb_build_object('name', $4::text) from added returning 1`;

const insertOperator = `
with added as (
  insert into operator (id, email, password_hash, role) values ($1, $2, $3, $4) on conflict do nothing returning id
)
insert into audit (actor, action, target, details)
select '${actor}', 'operators.create', 'operator:' || id, jsonb_build_object('email', $2::text, 'role', $4::text)
from added returning 1`;

/** Inserts the first partners and operators where they are absent. @returns how many were inserted */
export const insertSeed = async (
  deps: { sql: SqlRunner; keyring: Pick<Keyring, 'sealTo'> },
  seed: Seed,
): Promise<number> => {
  const { sql, keyring } = deps;
  let inserted = 0;
  for (const one of seed.partners) {
    const sealed = await keyring.sealTo('notifier', one.webhookSecret);
    const rows = await sql.execute(insertPartner, [
      one.id,
      one.clientId,
      sha256Hex(one.clientSecret),
      one.name,
      one.email,
      one.passwordConfiguration,
      one.reviewPolicy,
      [...scopes],
      uuidv7(),
      sealed,
    ]);
    inserted += rows.length;
  }
  for (const one of seed.operators) {
    const hash = await hashPassword(one.password);
    const rows = await sql.execute(insertOperator, [one.id, one.email.toLowerCase(), hash, one.role]);
    inserted += rows.length;
  }
  return inserted;
};
