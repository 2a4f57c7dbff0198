import { setTimeout as wait } from 'node:timers/promises';
import { MINUTE_MS } from '@rubrica/contracts/shared/durations';
import { type Database, type RowGuard, statement } from '@rubrica/database';
import type { Keyring, ServiceParts } from '@rubrica/process';
import { isAuditedIssuance } from './audited-issuance.ts';
import { type Certifier, isIssuedAs, readIssued } from './issued-certificate.ts';
import { toStanding } from './proven-status.ts';
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

// Over what was judged alone: a change in between has a MAC of its own.
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
 * Checks certificates in the order of their ids; a row that is not authentic raises its alarm. A row without a MAC comes from an
 * earlier release, while copies of that may run. It gets one if its certificate and the audit log prove it, with the status that the audit log
 * proves; afterwards only where an entry with a MAC proves whose it is. A MAC of a former key is replaced by one of the present key.
 * @returns where the next batch begins, undefined at the end
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
    const isDue = status.isAuthentic ? !deps.keyring.isPresentMac(row.mac ?? '') : row.mac === null;
    if (!isDue || !(status.isAuthentic || (await isProvenRow(deps, row)))) continue;
    if (status.owner === undefined) continue;
    const { revokedAt, revocationReason, heldAt, statusVersion } = status;
    const standing = { notAfter: toStanding(row).notAfter, revokedAt, revocationReason, heldAt };
    const record = { ...toRecord(row), ...status.owner, ...standing, statusVersion };
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
  return issued !== undefined && isIssuedAs(issued, row) && (await isAuditedIssuance(database, row));
}

/** So that a million certificates are looked at within two hours, at a hundredth of a core. */
const batchPauseMs = 1_000;
const roundPauseMs = 10 * MINUTE_MS;

/** Looks at all certificates in turn, for as long as the service lives. */
export function startSealing(
  deps: SealingDeps,
  { logger, runner }: Pick<ServiceParts, 'logger' | 'runner'>,
): void {
  const stopping = new AbortController();
  const pause = (ms: number) =>
    wait(ms, undefined, { signal: stopping.signal, ref: false }).catch(() => undefined);
  async function look(): Promise<void> {
    let total = 0;
    for (let after: string | undefined = firstId; after !== undefined && !stopping.signal.aborted; ) {
      const { next, sealed } = await sealBatch(deps, after);
      total += sealed;
      after = next;
      // What has no MAC yet, or one of a former key, is not made to wait.
      if (after !== undefined && sealed === 0) await pause(batchPauseMs);
    }
    if (total > 0) logger.info({ count: total }, 'certificates have MACs of the present key');
  }
  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      const made = deps.keyring.mac('');
      await look().catch((err: unknown) => logger.warn({ err }, 'certificates could not be checked'));
      for (let waited = 0; waited < roundPauseMs && !stopping.signal.aborted; waited += probeMs) {
        if (!deps.keyring.isPresentMac(made)) break;
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

/** Pause between two looks for another key. */
const probeMs = 5_000;
