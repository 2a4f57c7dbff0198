import { scopes } from '@rubrica/contracts/shared/enumerations';
import type { SqlRunner } from '@rubrica/database';
import { type Keyring, uuidv7 } from '@rubrica/process';
import type { Seed } from '../seed-file.ts';
import { sha256Hex } from '../sha256-hex.ts';

/** Partner, webhook secret and audit row in one statement; a partner that exists stays as operators have left it. */
const insertPartner = `
with added as (
  insert into partner (id, client_id, client_secret_sha256, name, email, password_configuration, review_policy, scopes)
  values ($1, $2, $3, $4, $5, $6, $7, $8) on conflict do nothing returning id
), secret as (insert into webhook_secret (id, partner_id, sealed) select $9, id, $10 from added)
insert into audit (actor, action, target, details)
select 'service:intake-provision', 'partners.create', 'partner:' || id, jsonb_build_object('name', $4::text)
from added returning 1`;

/** Inserts the first partners where they are absent. @returns how many were inserted */
export async function seedPartners(
  { sql, keyring }: { readonly sql: SqlRunner; readonly keyring: Pick<Keyring, 'sealTo'> },
  partners: Seed['partners'],
): Promise<number> {
  let inserted = 0;
  for (const partner of partners) {
    const rows = await sql.execute(insertPartner, [
      partner.id,
      partner.clientId,
      sha256Hex(partner.clientSecret),
      partner.name,
      partner.email,
      partner.passwordConfiguration,
      partner.reviewPolicy,
      [...scopes],
      uuidv7(),
      await keyring.sealTo('notifier', partner.webhookSecret, {
        purpose: 'webhook-secret',
        owner: partner.id.toLowerCase(),
      }),
    ]);
    inserted += rows.length;
  }
  return inserted;
}
