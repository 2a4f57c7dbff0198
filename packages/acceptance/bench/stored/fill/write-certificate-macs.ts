import type { Keyring } from '@rubrica/process/keyring';
import type { Client } from 'pg';

/** Row in the order of the guarded fields of generation's table. */
type GuardedValues = readonly [id: string, ...values: unknown[]];

const guardedFields = [
  'requestId',
  'partnerId',
  'serial',
  'issuer',
  'crlShard',
  'notAfter',
  'revokedAt',
  'revocationReason',
  'heldAt',
].join(' ');

/**
 * Writes the MACs that generation would have written; without them, a fill ends in a list without entries.
 * @param ids SQL that selects ids of certificates, never input
 */
export async function writeCertificateMacs(
  client: Client,
  keyring: Pick<Keyring, 'mac'>,
  ids: string,
): Promise<void> {
  const iso = (column: string) => `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
  const { rows } = await client.query<{ values: GuardedValues }>(
    `select jsonb_build_array(id, status_version, request_id, partner_id, serial, issuer, crl_shard, ${iso('not_after')},
       ${iso('revoked_at')}, revocation_reason, held_at) as values
     from generation.certificate where id in (${ids})`,
  );
  const macs = rows.map(({ values }) =>
    keyring.mac(`rubrica-row certificate id version ${guardedFields} ${JSON.stringify(values)}`),
  );
  await client.query(
    `update generation.certificate set mac = made.mac
     from unnest($1::uuid[], $2::text[]) as made (id, mac) where certificate.id = made.id`,
    [rows.map(({ values }) => values[0]), macs],
  );
}
