import { setTimeout as wait } from 'node:timers/promises';
import { MINUTE_MS } from '@rubrica/contracts/shared/durations';
import type { Database } from '@rubrica/database/connection';
import type { RowGuard } from '@rubrica/database/guarded';
import { statement } from '@rubrica/database/statement';
import type { Keyring } from '@rubrica/process/keyring';
import type { ServiceParts } from '@rubrica/process/runner';
import { isAuditedIssuance } from './audited-issuance.ts';
import { type Certifier, matchesIssuance, readIssued } from './issued-certificate.ts';
import { toStatusFields } from './proven-status.ts';
import type { StatusProof } from './status-proof.ts';
import {
  type GuardedStatusRow,
  guardedStatusSql,
  makeStatusMac,
  type StatusRecord,
} from './status-record.ts';

export interface SealingDeps {
  readonly database: Pick<Database, 'statement'>;
  readonly rows: Pick<RowGuard, 'protect'>;
  readonly keyring: Pick<Keyring, 'mac' | 'isPresentMac'>;
  readonly proof: Pick<StatusProof, 'prove'>;
  readonly issuers: { readonly all: readonly Certifier[] };
}

const batchRows = 200;
const firstId = '00000000-0000-0000-0000-000000000000';

const findBatch = statement<{ after: string }, { rows: readonly GuardedStatusRow[] | null }>({
  name: 'certificates-to-seal',
  sql: `
select jsonb_agg(${guardedStatusSql('c')} order by c.id) as rows
from (select * from certificate where id > :after order by id limit ${batchRows}) as c`,
});

const findDer = statement<{ id: string }, { der: Buffer }>({
  name: 'der-to-seal',
  sql: 'select der from certificate where id = :id',
});

// Updates only the row that was judged: a concurrent change has its own MAC.
const seal = statement<
  Pick<
    StatusRecord,
    'id' | 'partnerId' | 'requestId' | 'revokedAt' | 'revocationReason' | 'heldAt' | 'statusVersion'
  > & {
    readonly mac: string;
    readonly storedMac: string | null;
    readonly storedVersion: number;
  }
>({
  name: 'seal-certificate',
  sql: `
update certificate set mac = :mac, revoked_at = :revokedAt, revocation_reason = :revocationReason, held_at = :heldAt,
  status_version = :statusVersion, partner_id = :partnerId, request_id = :requestId
where id = :id and status_version = :storedVersion and mac is not distinct from :storedMac
  and mac is distinct from :mac returning 1 as done`,
});

/**
 * Checks certificates in the order of their ids; a row that is not authentic raises an alarm. A row without a MAC comes
 * from an earlier release, whose copies may still run. It gets a MAC if certificate and audit log prove it, with the
 * status that the audit log proves. After the upgrade this also requires an entry with a MAC that proves its owner. A
 * MAC of a previous key is replaced by one of the current key.
 * @returns start of the next batch, undefined at the end
 */
export async function sealBatch(
  deps: SealingDeps,
  after: string,
): Promise<{ readonly next: string | undefined; readonly sealed: number }> {
  const [found] = await findBatch.run(deps.database, { after });
  const rows = found?.rows ?? [];
  const proven = await deps.proof.prove(rows.map(({ serial }) => serial));
  let sealed = 0;
  for (const row of rows) {
    const status = proven.get(row.serial);
    if (status === undefined || status.id !== row.id) continue;
    const needsMac = status.isAuthentic ? !deps.keyring.isPresentMac(row.mac ?? '') : row.mac === null;
    if (!needsMac || !(status.isAuthentic || (await isProvenRow(deps, row)))) continue;
    if (status.owner === undefined) continue;
    const { revokedAt, revocationReason, heldAt, statusVersion } = status;
    const statusFields = { notAfter: toStatusFields(row).notAfter, revokedAt, revocationReason, heldAt };
    const record = { ...toRecord(row), ...status.owner, ...statusFields, statusVersion };
    const stored = { storedMac: row.mac, storedVersion: row.version };
    const mac = makeStatusMac(deps.rows, record);
    sealed += (await seal.run(deps.database, { ...record, ...stored, mac })).length;
  }
  return { next: rows.length < batchRows ? undefined : rows.at(-1)?.id, sealed };
}

function toRecord({ id, request_id, partner_id, serial, issuer, crl_shard }: GuardedStatusRow) {
  return { id, requestId: request_id, partnerId: partner_id, serial, issuer, crlShard: crl_shard };
}

async function isProvenRow({ database, issuers }: SealingDeps, row: GuardedStatusRow): Promise<boolean> {
  const [found] = await findDer.run(database, { id: row.id });
  const issued = found && readIssued(found.der, issuers.all);
  return issued !== undefined && matchesIssuance(issued, row) && (await isAuditedIssuance(database, row));
}

/** Pace: a million certificates are checked within two hours, at 1 % of a core. */
const batchPauseMs = 1_000;
const runPauseMs = 10 * MINUTE_MS;

/** Checks all certificates repeatedly while the service runs. */
export function startSealing(
  deps: SealingDeps,
  { logger, runner }: Pick<ServiceParts, 'logger' | 'runner'>,
): void {
  const stopping = new AbortController();
  const pause = (ms: number) =>
    wait(ms, undefined, { signal: stopping.signal, ref: false }).catch(() => undefined);
  async function checkAll(): Promise<void> {
    let total = 0;
    for (let after: string | undefined = firstId; after !== undefined && !stopping.signal.aborted; ) {
      const { next, sealed } = await sealBatch(deps, after);
      total += sealed;
      after = next;
      // Rows without a MAC, or with one of a previous key, are not delayed.
      if (after !== undefined && sealed === 0) await pause(batchPauseMs);
    }
    if (total > 0) logger.info({ count: total }, 'certificates resealed');
  }
  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      const probeMac = deps.keyring.mac('');
      await checkAll().catch((err: unknown) => logger.warn({ err }, 'certificate check failed'));
      for (let waited = 0; waited < runPauseMs && !stopping.signal.aborted; waited += probeMs) {
        if (!deps.keyring.isPresentMac(probeMac)) break;
        await pause(probeMs);
      }
    }
  }
  const ended = run();
  runner.own('check of certificates', async () => {
    stopping.abort();
    await ended;
  });
}

/** Interval between two checks for another key. */
const probeMs = 5_000;
