/** Statements of the schema's owner that make revoked certificates with everything that they refer to. */
export function revokedCertificates({
  issuer,
  shard,
  count,
}: {
  issuer: string;
  /** Also a part of their serial numbers, so that those of two calls differ. */
  shard: number;
  count: number;
}): string[] {
  const rows = `generate_series(1, ${count}) as i,
    lateral (select lpad(to_hex(${shard}), 2, '0') || lpad(to_hex(i), 6, '0') as hex) as n,
    lateral (select '4A' || upper(n.hex) || repeat('0', 30) as serial,
      ('0199aa00-0000-7000-8000-0000' || n.hex)::uuid as id) as k`;
  return [
    `insert into generation.issuance (request_id, attempt, state, finished_at)
     select k.id, 1, 'ISSUED', now() from ${rows}`,
    `insert into generation.certificate (id, request_id, partner_id, attempt, serial, issuer, profile, key_algorithm, subject,
       not_before, not_after, requested_not_after, der, issued_at, revoked_at, revocation_reason, crl_shard)
     select k.id, k.id, k.id, 1, k.serial, '${issuer}', 'p', 'RSA_2048', 's', now(), now() + interval '1 year',
       now() + interval '1 year', '\\x00', now(), now(), 'keyCompromise', ${shard} from ${rows}`,
    'analyze generation.certificate',
  ];
}
