import type { Keyring } from '@rubrica/process/keyring';
import type { Client } from 'pg';
import { intakeRows } from './intake.ts';
import { generationRows, notifierRows } from './peers.ts';
import { dropPlan, insertPlan, preparePlan } from './plan.ts';
import { writeCertificateMacs } from './write-certificate-macs.ts';

const batchRows = 20_000;

export interface Filling {
  readonly requests: number;
  /** Owners of the requests. */
  readonly partnerIds: readonly string[];
  /** True for the schemas of release 0.1.0, with the rows that it stored; default false. */
  readonly isFormer?: boolean;
  /** Keys of generation, whose certificates have MACs; 0.1.0 writes none. */
  readonly keyring?: Pick<Keyring, 'mac'>;
  onProgress(filled: number): void;
}

/**
 * Writes requests of three years with all data of their services, except evidence, directly into the schemas. It works
 * set by set, so that two million take minutes. Only for a separate database: the written values can be neither opened
 * nor verified.
 */
export async function fillDatabase(
  client: Client,
  { requests, partnerIds, isFormer = false, keyring, onProgress }: Filling,
): Promise<void> {
  // Rows lost in a crash are filled again, and the generation of rows guarantees the foreign keys.
  await client.query('set synchronous_commit = off; set session_replication_role = replica');
  await client.query(preparePlan);
  await client.query('analyze bench_fill.noise');
  await setPositionTriggers(client, 'disable');
  const [intakeEnd, generationEnd] = [
    await readLastPosition(client, 'intake.audit'),
    await readLastPosition(client, 'generation.audit_entry'),
  ];
  for (let first = 1; first <= requests; first += batchRows) {
    const batch = [first, Math.min(first + batchRows - 1, requests)];
    await client.query('begin');
    await client.query(insertPlan, [...batch, requests, partnerIds]);
    await client.query('analyze bench_fill.plan');
    await run(client, intakeRows(isFormer), [...batch, intakeEnd]);
    await run(client, generationRows(isFormer), [...batch, generationEnd]);
    if (keyring !== undefined)
      await writeCertificateMacs(
        client,
        keyring,
        'select certificate_id from bench_fill.plan where certificate_id is not null',
      );
    await run(client, notifierRows(isFormer), batch);
    await client.query('truncate bench_fill.plan');
    await client.query('commit');
    onProgress(batch[1] ?? 0);
  }
  await setPositionTriggers(client, 'enable always');
  await client.query(dropPlan);
  await client.query('reset session_replication_role; reset synchronous_commit');
}

async function run(client: Client, statements: readonly string[], params: readonly number[]): Promise<void> {
  for (const sql of statements)
    await client.query(
      sql,
      params.filter((_, index) => sql.includes(`$${index + 1}`)),
    );
}

/**
 * Disables the refusal of rows that already have a chain position: the filling assigns each one, so that no work
 * remains.
 */
async function setPositionTriggers(client: Client, change: 'disable' | 'enable always'): Promise<void> {
  await client.query(`alter table intake.audit ${change} trigger audit_unplaced;
    alter table generation.audit_entry ${change} trigger audit_entry_unplaced`);
}

/** Gap for the positions that running services assign meanwhile to their own rows. */
const positionGap = 100_000;

async function readLastPosition(client: Client, table: string): Promise<number> {
  const { rows } = await client.query(`select coalesce(max(chain_sequence), 0)::int as last from ${table}`);
  return rows[0].last + positionGap;
}
