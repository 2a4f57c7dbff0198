import { monitorEventLoopDelay } from 'node:perf_hooks';
import { createEntryGuard } from '@rubrica/audit/entries';
import { HOUR_MS } from '@rubrica/contracts/shared/durations';
import { createDatabase, type Database } from '@rubrica/database/connection';
import type { RowGuard } from '@rubrica/database/guarded';
import { encodeCertId, issuerHashes, ocspRequest } from '@rubrica/pki';
import { loadKeyring } from '@rubrica/process/keyring';
import { createLogger, type Logger } from '@rubrica/process/log';
import { systemClock } from '@rubrica/process/time';
import type { TestDatabase } from '@rubrica/testkit';
import { auditLog } from '../src/certificate/audit-log.ts';
import { createStatusProof } from '../src/certificate/status-proof.ts';
import { readConfig } from '../src/config.ts';
import { createCrlLedger } from '../src/crl/crl-ledger.ts';
import { createSignNextCrl } from '../src/crl/sign-crl.ts';
import type { Issuers } from '../src/issuers/issuer.ts';
import { openIssuers } from '../src/issuers/open-issuers.ts';
import { createAnswerOcsp } from '../src/ocsp/answer-ocsp.ts';
import { createOcspLedger } from '../src/ocsp/ocsp-ledger.ts';
import { createOcspSigner } from '../src/ocsp/sign-answers.ts';
import { entities, schema } from '../src/store/schema.ts';
import { type Generation, generation } from '../test/support/generation.ts';
import { revokedCertificates } from '../test/support/revoked-certificates.ts';
import { openRows, writeMacs } from '../test/support/status-macs.ts';

const inFlight = 32;

/** What was measured, and how much. */
export type Line = readonly [what: string, value: string];

/**
 * CRLs and OCSP answers on a real PostgreSQL: what one CRL costs from its lease to its row, and answers per second,
 * kept and signed for one request alone.
 * @param revoked entries of each CRL; the first has at least 1,000, about which OCSP is asked
 */
export async function measureStatus(revoked: readonly number[]): Promise<Line[]> {
  await using env = await generation();
  const config = readConfig(env.env);
  const keyring = await loadKeyring(config.keys, 'generation');
  const issuers = await openIssuers(config, keyring, systemClock);
  const logger = createLogger({ service: 'bench', level: 'silent', format: 'json' });
  const { url } = config.database;
  const entries = createEntryGuard({ table: auditLog.table, keys: keyring });
  const options = { url, schema, entities, entries, logger, statementTimeoutMs: 300_000 };
  await using database = createDatabase(options);
  const rows = await openRows(env);
  const bench = { database, issuers, logger, asOwner: env.database, rows, env };
  return [...(await measureCrls(bench, revoked)), ...(await measureOcsp(bench))];
}

interface Bench {
  readonly database: Database;
  /** For making up certificates. */
  readonly asOwner: TestDatabase;
  readonly issuers: Issuers;
  readonly logger: Logger;
  readonly rows: RowGuard;
  readonly env: Generation;
}

async function measureCrls(
  { database, issuers, asOwner, rows, env }: Bench,
  revoked: readonly number[],
): Promise<Line[]> {
  const { active } = issuers;
  const ledger = createCrlLedger(database, rows);
  const proof = createStatusProof({ database, rows, issuers });
  const distributionPoint = () => 'http://pki.example.test/crl';
  const signNext = createSignNextCrl({
    ledger,
    proof,
    authorities: () => [{ ...active, lifetimeMs: HOUR_MS, distributionPoint, delta: undefined }],
    shards: revoked.length,
    leaseSeconds: 600,
  });
  const lines: Line[] = [];
  for (const [index, count] of revoked.entries()) {
    const shard = index + 1;
    for (const statement of revokedCertificates({ issuer: active.name, shard, count }))
      await asOwner.query(statement);
    await writeMacs(env);
    await ledger.ensure([active.name], [shard]);
    const late = monitorEventLoopDelay({ resolution: 5 });
    late.enable();
    const startedAt = performance.now();
    await signNext();
    const ms = performance.now() - startedAt;
    late.disable();
    const served = await ledger.served({ issuer: active.name, shard, isDelta: false }, 0);
    const bytes = served?.octets ?? 0;
    const size = `${(bytes / 1_000).toLocaleString('en', { maximumFractionDigits: 0 })} kB`;
    lines.push([`CRL of ${count.toLocaleString('en')} revoked, ${size}`, `${ms.toFixed(0)} ms`]);
    lines.push(['  the event loop was late by, at most', `${(late.max / 1e6).toFixed(0)} ms`]);
    // Of the whole process, which has made certificates before.
    const { maxRSS } = process.resourceUsage();
    lines.push(['  most memory until then', `${((maxRSS * 1024) / 1e6).toFixed(0)} MB`]);
  }
  return lines;
}

async function measureOcsp({ database, issuers, logger, rows }: Bench): Promise<Line[]> {
  const answer = createAnswerOcsp({
    ledger: createOcspLedger({ database, rows, proof: createStatusProof({ database, rows, issuers }) }),
    signer: createOcspSigner(issuers, { lifetimeMs: HOUR_MS, clock: systemClock }),
    clock: systemClock,
    logger,
    maxAgeSeconds: 15,
    freshAtOnce: inFlight,
  });
  const issuer = issuerHashes(issuers.active.certificate);
  const ask = (index: number, isFresh = false) => {
    const serial =
      `4A01${((index % 1_000) + 1).toString(16).padStart(6, '0')}${'0'.repeat(30)}`.toUpperCase();
    const certIds = [encodeCertId({ issuer, hash: 'sha1', serial })];
    return answer(ocspRequest({ certIds, ...(isFresh ? { nonce: Buffer.from(serial) } : {}) }));
  };
  return [
    ['OCSP, first question about each certificate', await rate(1_000, (index) => ask(index))],
    ['OCSP, kept answers', await rate(10_000, (index) => ask(index))],
    ['OCSP, each with a nonce', await rate(5_000, (index) => ask(index, true))],
  ];
}

async function rate(total: number, ask: (index: number) => Promise<unknown>): Promise<string> {
  let next = 0;
  const startedAt = performance.now();
  const worker = async () => {
    while (next < total) await ask(next++);
  };
  await Promise.all(Array.from({ length: inFlight }, worker));
  return `${Math.round(total / ((performance.now() - startedAt) / 1_000)).toLocaleString('en')}/s`;
}
