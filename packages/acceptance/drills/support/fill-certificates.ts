import { createHash } from 'node:crypto';
import type { Keyring } from '@rubrica/process/keyring';
import type { Client } from 'pg';
import { writeCertificateMacs } from '../../bench/stored/fill/write-certificate-macs.ts';

const batchRows = 200_000;
const macBatch = 20_000;

export interface FilledCertificates {
  readonly certificates: number;
  /** One certificate in this number is revoked. */
  readonly revokedEvery: number;
  readonly issuer: string;
  /** Keys of generation: a certificate without a MAC counts as never issued. */
  readonly keyring: Pick<Keyring, 'mac'>;
  onProgress(filled: number): void;
}

/** Lists this number of their serial numbers, in steps. */
export function filledSerials({ count, step }: { count: number; step: number }): string[] {
  return Array.from({ length: count }, (_, index) => {
    const digest = createHash('md5')
      .update(`filled${(index + 1) * step}`)
      .digest('hex');
    return `5A${digest.toUpperCase()}000000`;
  });
}

/**
 * Writes certificates with all rows that they refer to directly into generation's schema, in their real size and with
 * unordered serial numbers. Only for a separate database: they can be neither opened nor verified.
 */
export async function fillCertificates(client: Client, filled: FilledCertificates): Promise<void> {
  const { certificates, revokedEvery, issuer, keyring, onProgress } = filled;
  // Rows lost in a crash are filled again, and the generation of rows guarantees the foreign keys.
  await client.query('set synchronous_commit = off; set session_replication_role = replica');
  await client.query(`create temporary table noise as
    select n, decode(string_agg(md5(n || ' ' || i), ''), 'hex') as bytes
    from generate_series(0, 99) as n cross join generate_series(1, 88) as i group by n`);
  for (let first = 1; first <= certificates; first += batchRows) {
    const last = Math.min(first + batchRows - 1, certificates);
    const rows = `generate_series(${first}, ${last}) as i cross join lateral (
      select '5A' || upper(md5('filled' || i)) || '000000' as serial, md5('id' || i)::uuid as id) as k`;
    const revoked = `i % ${revokedEvery} = 0`;
    await client.query(`
      insert into generation.issuance (request_id, attempt, state, certificate_id, finished_at)
      select id, 1, 'ISSUED', id, now() from ${rows};
      insert into generation.certificate (id, request_id, partner_id, attempt, serial, issuer, profile, key_algorithm, subject,
        not_before, not_after, requested_not_after, der, issued_at, revoked_at, revocation_reason, status_version)
      select id, id, id, 1, serial, '${issuer}', 'NATURAL_PERSON/TRADITIONAL_SIGNATURE', 'RSA_2048', 'CN=' || serial,
        now() - interval '1 day', now() + i * interval '30 seconds' + interval '1 day', now() + interval '3 years',
        substr(bytes, 1, 1400), now() - interval '1 day', case when ${revoked} then now() end,
        case when ${revoked} then 'keyCompromise' end, case when ${revoked} then 2 else 1 end
      from ${rows} join noise on noise.n = i % 100`);
    for (let from = first; from <= last; from += macBatch) {
      const to = Math.min(from + macBatch - 1, last);
      await writeCertificateMacs(
        client,
        keyring,
        `select md5('id' || i)::uuid from generate_series(${from}, ${to}) as i`,
      );
    }
    onProgress(last);
  }
  await client.query('reset session_replication_role; reset synchronous_commit; drop table noise');
  await client.query('vacuum analyze');
}
