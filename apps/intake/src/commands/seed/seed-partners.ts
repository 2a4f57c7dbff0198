import { insertEntriesSql, protectEntry } from '@rubrica/audit/log';
import { scopes } from '@rubrica/contracts/shared/enumerations';
import type { Database } from '@rubrica/database/connection';
import type { RowGuard } from '@rubrica/database/guarded';
import { statement } from '@rubrica/database/statement';
import type { Keyring } from '@rubrica/process/keyring';
import { uuidv7 } from '@rubrica/process/time';
import type { Partner } from '../../access/partners/partner.entity.ts';
import { sha256Hex } from '../../base/sha256-hex.ts';
import type { Seed } from './seed-file.ts';

/**
 * Inserts partner, webhook secret and audit entry in one statement; an existing partner stays as operators
 * have left it.
 */
const insertPartner = statement<SeededPartner>({
  name: 'seed-partner',
  sql: `
with added as (
  insert into partner (id, client_id, client_secret_sha256, name, email, password_configuration, review_policy,
    client_secret_enabled, legacy_pkcs12, key_type, scopes, enabled, gen, version, mac)
  values (:id, :clientId, :clientSecretSha256, :name, :email, :passwordConfiguration, :reviewPolicy,
    :clientSecretEnabled, :legacyPkcs12, :keyType, :scopes, :enabled, :gen, :version, :mac)
  on conflict do nothing returning id
), secret as (
  insert into webhook_secret (id, partner_id, sealed, version, mac)
  select :secretId, id, :sealed, :secretVersion, :secretMac from added
)
${insertEntriesSql({ entries: ':entries', where: 'exists (select from added)' })} returning 1`,
});

/** Columns of a seeded partner; the omitted ones get the database's defaults. */
type SeededPartner = Omit<
  Partner,
  'createdAt' | 'updatedAt' | 'envelope' | 'quota' | 'events' | 'holderReminders' | 'holderRenewal'
> & {
  readonly secretId: string;
  readonly sealed: string;
  readonly secretVersion: number;
  readonly secretMac: string;
  /** Audit entries as JSON. */
  readonly entries: string;
};

/** Inserts the first partners that are missing. @returns the number of inserted partners */
export async function seedPartners(
  deps: {
    readonly sql: Pick<Database, 'execute' | 'entries'>;
    readonly keyring: Pick<Keyring, 'sealTo'>;
    readonly rows: Pick<RowGuard, 'protect'>;
  },
  partners: Seed['partners'],
): Promise<number> {
  const { sql, keyring, rows } = deps;
  let inserted = 0;
  for (const partner of partners) {
    const { id, clientId, name, email, passwordConfiguration, reviewPolicy } = partner;
    const binding = { purpose: 'webhook-secret', owner: id.toLowerCase() } as const;
    const row = {
      ...{ id, clientId, name, email, passwordConfiguration, reviewPolicy },
      clientSecretSha256: sha256Hex(partner.clientSecret),
      clientSecretEnabled: true,
      legacyPkcs12: false,
      keyType: 'RSA-2048' as const,
      scopes: [...scopes],
      enabled: true,
      gen: 1,
    };
    const sealed = await keyring.sealTo('notifier', partner.webhookSecret, binding);
    const secret = { id: uuidv7(), partnerId: binding.owner, sealed, publicKey: null, expiresAt: null };
    const { version: secretVersion, mac: secretMac } = rows.protect('webhook_secret', secret);
    const guarded = {
      ...rows.protect('partner', row),
      secretId: secret.id,
      sealed,
      secretVersion,
      secretMac,
    };
    const entry = protectEntry(sql.entries, {
      actor: 'service:intake-provision',
      action: 'partners.create',
      target: `partner:${binding.owner}`,
      details: { name },
    });
    inserted += (await insertPartner.run(sql, { ...row, ...guarded, entries: JSON.stringify([entry]) }))
      .length;
  }
  return inserted;
}
