import { createDatabase } from '@rubrica/database';
import { encodeCertId, issuerHashes, ocspRequest } from '@rubrica/pki';
import { createLogger, loadKeyring, systemClock } from '@rubrica/service';
import { readConfig } from '../src/config.ts';
import { createCrlLedger } from '../src/crl/crl-ledger.ts';
import { createSignNextCrl } from '../src/crl/sign-crl.ts';
import { openIssuers } from '../src/issuers/open-issuers.ts';
import { createAnswerOcsp } from '../src/ocsp/answer-ocsp.ts';
import { createOcspLedger } from '../src/ocsp/ocsp-ledger.ts';
import { createOcspSigner } from '../src/ocsp/sign-answers.ts';
import { entities, schema } from '../src/store/schema.ts';
import { generation } from '../test/support/generation.ts';

/**
 * CRLs and OCSP answers on a real PostgreSQL: what one CRL costs from its claim to its row, and answers per second,
 * kept and signed for one request alone. Usage: node bench/status.ts [revoked...]
 */
const sizes = process.argv.slice(2).map(Number);
const revoked = sizes.length > 0 ? sizes : [1_000, 100_000];
const inFlight = 32;
const hourMs = 3_600_000;

await using env = await generation();
await env.intake.stop();
const config = readConfig(env.env);
const keyring = await loadKeyring(config.keys, 'generation');
const issuers = await openIssuers(config, keyring, systemClock);
const { active } = issuers;
const logger = createLogger({ service: 'bench', level: 'silent', format: 'json' });
await using database = createDatabase({ url: config.database.url, schema, entities, logger });

const print = (what: string, value: string) =>
  process.stdout.write(`${what.padEnd(44)}${value.padStart(14)}\n`);

/** Certificates with everything that they refer to; revoked from the first on. */
async function certificates(shard: number, count: number): Promise<void> {
  const rows = `generate_series(1, ${count}) as i,
    lateral (select lpad(to_hex(${shard}), 2, '0') || lpad(to_hex(i), 6, '0') as hex) as n,
    lateral (select '4A' || upper(n.hex) || repeat('0', 30) as serial,
      ('0199aa00-0000-7000-8000-0000' || n.hex)::uuid as id) as k`;
  for (const statement of [
    `insert into generation.issuance (request_id, attempt, state, finished_at) select k.id, 1, 'ISSUED', now() from ${rows}`,
    `insert into generation.serial_number (serial, request_id, attempt, fence, state, tbs)
     select k.serial, k.id, 1, 1, 'ISSUED', '\\x00' from ${rows}`,
    `insert into generation.certificate (id, request_id, attempt, serial, issuer, profile, key_algorithm, subject,
       not_before, not_after, requested_not_after, der, issued_at, revoked_at, revocation_reason, crl_shard)
     select k.id, k.id, 1, k.serial, '${active.name}', 'p', 'RSA_2048', 's', now(), now() + interval '1 year',
       now() + interval '1 year', '\\x00', now(), now(), 'keyCompromise', ${shard} from ${rows}`,
    'analyze generation.certificate',
  ]) {
    await env.database.query(statement);
  }
}

const ledger = createCrlLedger(database);
const signNext = createSignNextCrl({
  ledger,
  authorities: () => [
    { ...active, lifetimeMs: hourMs, distributionPoint: () => 'http://pki.example.test/crl' },
  ],
  leaseSeconds: 600,
});
for (const [index, count] of revoked.entries()) {
  await certificates(index + 1, count);
  await ledger.ensure([active.name], [index + 1]);
  const startedAt = performance.now();
  await signNext();
  const ms = performance.now() - startedAt;
  const bytes = (await ledger.served(active.name, index + 1))?.der.length ?? 0;
  print(`CRL of ${count} revoked, ${(bytes / 1_000).toFixed(0)} kB`, `${ms.toFixed(0)} ms`);
}

async function rate(total: number, ask: (index: number) => Promise<unknown>): Promise<string> {
  let next = 0;
  const startedAt = performance.now();
  const worker = async () => {
    while (next < total) await ask(next++);
  };
  await Promise.all(Array.from({ length: inFlight }, worker));
  return `${Math.round(total / ((performance.now() - startedAt) / 1_000))} /s`;
}

const answer = createAnswerOcsp({
  ledger: createOcspLedger(database),
  signer: createOcspSigner(issuers, { lifetimeMs: hourMs, clock: systemClock }),
  clock: systemClock,
  logger,
  maxAgeSeconds: 15,
  freshAtOnce: inFlight,
});
const issuer = issuerHashes(active.certificate);
const serials = Array.from({ length: 1_000 }, (_, index) =>
  `4A01${(index + 1).toString(16).padStart(6, '0')}${'0'.repeat(30)}`.toUpperCase(),
);
const requests = serials.map((serial) =>
  ocspRequest({ certIds: [encodeCertId({ issuer, hash: 'sha1', serial })] }),
);
const withNonce = serials.map((serial) =>
  ocspRequest({ certIds: [encodeCertId({ issuer, hash: 'sha1', serial })], nonce: Buffer.from(serial) }),
);
const nth = (list: readonly Uint8Array[], index: number) => list[index % list.length] ?? new Uint8Array();
print('OCSP, first question about each certificate', await rate(1_000, (i) => answer(nth(requests, i))));
print('OCSP, kept answers', await rate(10_000, (i) => answer(nth(requests, i))));
print('OCSP, with a nonce', await rate(2_000, (i) => answer(nth(withNonce, i))));
