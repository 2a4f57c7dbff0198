import { scopes } from '@rubrica/contracts/shared/enumerations';
import { type SqlRunner, statement } from '@rubrica/database';
import { type Keyring, uuidv7 } from '@rubrica/process';
import type { Seed } from '../seed-file.ts';
import { sha256Hex } from '../sha256-hex.ts';
import type { Partner } from './partner.entity.ts';

/** Partner, webhook secret and audit row in one statement; a partner that exists stays as operators have left it. */
const insertPartner = statement<SeededPartner>({
  name: 'seed-partner',
  sql: `
with added as (
  insert into partner (id, client_id, client_secret_sha256, name, email, password_configuration, review_policy, scopes)
  values (:id, :clientId, :clientSecretSha256, :name, :email, :passwordConfiguration, :reviewPolicy, :scopes)
  on conflict do nothing returning id
), secret as (insert into webhook_secret (id, partner_id, sealed) select :secretId, id, :sealed from added)
insert into audit (actor, action, target, details)
select 'service:intake-provision', 'partners.create', 'partner:' || id, jsonb_build_object('name', :name::text)
from added returning 1`,
});

type SeededPartner = Omit<
  Partner,
  'legacyPkcs12' | 'enabled' | 'clientSecretEnabled' | 'gen' | 'createdAt' | 'updatedAt'
> & {
  readonly secretId: string;
  readonly sealed: string;
};

/** Inserts the first partners where they are absent. @returns how many were inserted */
export async function seedPartners(
  { sql, keyring }: { readonly sql: SqlRunner; readonly keyring: Pick<Keyring, 'sealTo'> },
  partners: Seed['partners'],
): Promise<number> {
  let inserted = 0;
  for (const partner of partners) {
    const { id, clientId, name, email, passwordConfiguration, reviewPolicy } = partner;
    const binding = { purpose: 'webhook-secret', owner: id.toLowerCase() } as const;
    const rows = await insertPartner.run(sql, {
      ...{ id, clientId, name, email, passwordConfiguration, reviewPolicy },
      clientSecretSha256: sha256Hex(partner.clientSecret),
      scopes: [...scopes],
      secretId: uuidv7(),
      sealed: await keyring.sealTo('notifier', partner.webhookSecret, binding),
    });
    inserted += rows.length;
  }
  return inserted;
}
