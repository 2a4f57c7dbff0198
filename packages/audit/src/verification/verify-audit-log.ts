import { parseArgs } from 'node:util';
import { createDatabase } from '@rubrica/database/connection';
import { databaseSettings, keySettings, loadConfig, setting } from '@rubrica/process/config';
import { loadCheckpointVerifier, loadKeyring } from '@rubrica/process/keyring';
import { createLogger } from '@rubrica/process/log';
import { z } from 'zod';
import { createEntryGuard } from '../entries/entry-guard.ts';
import type { AuditTable } from '../log/audit-table.ts';
import type { AuditFinding } from './findings.ts';
import { type AuditVerification, verifyAudit } from './verify-audit.ts';

/**
 * Settings of an auditor: read access to one schema, and public keys. The MACs of entries are checked if the service's
 * key file is available too.
 */
const settings = z.object({
  database: databaseSettings,
  keys: keySettings.pick({ peersFile: true }).extend({
    keysFile: setting(z.string().optional(), {
      env: 'KEYS_FILE',
      about: 'the same file as that of the service; without it the MACs of entries are not checked',
    }),
  }),
});

interface VerifyCommand {
  readonly schema: string;
  readonly table: AuditTable;
  readonly args: readonly string[];
  /** Writes results; one JSON object with `--json`. */
  readonly out: (text: string) => void;
  /** Writes progress and faults. */
  readonly err: (text: string) => void;
  /** A person watches `err` during the run. */
  readonly isWatched: boolean;
}

const rowsPerStep = 20_000;
const maxFindings = 1_000;

/**
 * Exit code: 0 intact, 1 tampered with, 2 verification not possible, 3 chain intact and MACs of its entries not
 * checked.
 */
type ExitCode = 0 | 1 | 2 | 3;

/**
 * Verifies the audit log of one service for an auditor. Reads DATABASE_URL, PEERS_FILE and, for the MACs, KEYS_FILE;
 * the README of this package describes the arguments.
 */
export function verifyAuditLog(
  { schema, audit: table }: { readonly schema: string; readonly audit: AuditTable },
  args: readonly string[],
): Promise<ExitCode> {
  return runVerifyCommand({
    schema,
    table,
    args,
    out: (text) => process.stdout.write(`${text}\n`),
    err: (text) => process.stderr.write(text),
    isWatched: process.stderr.isTTY,
  });
}

async function runVerifyCommand(command: VerifyCommand): Promise<ExitCode> {
  const { table, err } = command;
  try {
    const options = readOptions(command.args);
    const report = await verifyAll(command, options);
    command.out(options.json ? JSON.stringify(report) : describe(report));
    if (report.findings.length > 0) return 1;
    return report.intact ? 0 : 3;
  } catch (error) {
    err(`${table.service}: could not look: ${(error as Error).message}\n`);
    return 2;
  }
}

interface Options {
  readonly from: number;
  readonly checkpoints: readonly string[];
  readonly json: boolean;
}

function readOptions(args: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      from: { type: 'string', default: '1' },
      checkpoint: { type: 'string', multiple: true, default: [] },
      json: { type: 'boolean', default: false },
    },
  });
  const from = Number(values.from);
  if (!Number.isSafeInteger(from) || from < 1)
    throw new RangeError(`--from takes a place in the chain: ${values.from}`);
  return { from, checkpoints: values.checkpoint.map((jws) => jws.trim()), json: values.json };
}

interface Report {
  readonly service: string;
  /** No fault was found, and everything was checked. */
  readonly intact: boolean;
  readonly macs: AuditVerification['macs'];
  readonly from: number;
  readonly end: number;
  readonly rows: number;
  readonly checkpoints: number;
  readonly lastCheckpoint: number;
  readonly unchained: number;
  readonly findings: readonly AuditFinding[];
}

async function verifyAll(
  { schema, table, err, isWatched }: VerifyCommand,
  { from, checkpoints }: Options,
): Promise<Report> {
  const config = loadConfig(settings, process.env);
  const { keysFile, peersFile } = config.keys;
  const keyring = keysFile && (await loadKeyring({ keysFile, peersFile }, table.service));
  const keys = keyring || (await loadCheckpointVerifier(peersFile));
  const entries = keyring ? createEntryGuard({ table, keys: keyring }) : undefined;
  const logger = createLogger({ service: `${table.service}-audit`, level: 'silent', format: 'json' });
  await using sql = createDatabase({ ...config.database, schema, entities: [], logger, poolSize: 1 });
  const findings: AuditFinding[] = [];
  let counted = { rows: 0, checkpoints: 0 };
  for (let next = from; ; ) {
    const request = { from: next, maxRows: rowsPerStep, checkpoints };
    const step = await verifyAudit({ sql, table, keys, entries }, request);
    findings.push(...step.findings);
    counted = { rows: counted.rows + step.rows, checkpoints: counted.checkpoints + step.checkpoints };
    if (isWatched && step.next !== null)
      err(`\r${table.service}: ${share(step.next, step.end)} of ${step.end} rows`);
    if (step.next === null || findings.length >= maxFindings) {
      if (isWatched) err('\r\x1b[K');
      const { end, lastCheckpoint, unchained, macs } = step;
      const intact = findings.length === 0 && macs === 'checked';
      return {
        ...{ service: table.service, intact, macs, from, end, ...counted },
        ...{ lastCheckpoint, unchained, findings },
      };
    }
    next = step.next;
  }
}

function share(next: number, end: number) {
  return `${Math.min(100, Math.floor((100 * next) / Math.max(end, 1)))} %`;
}

function describe(report: Report): string {
  const { service, intact, rows, checkpoints, end, lastCheckpoint, unchained, findings, from } = report;
  const start = from === 1 ? '' : ` from place ${from} on`;
  const looked = `${rows} rows and ${checkpoints} checkpoints${start}`;
  const behind = Math.max(0, end - Math.max(lastCheckpoint, from - 1));
  const open = `${behind} rows are behind the last checkpoint, ${unchained} have no place yet`;
  if (intact) return `${service}: intact. ${looked}; ${open}.`;
  const unchecked =
    'The MACs of entries were NOT checked: entries that the service did not write are not found. Set KEYS_FILE to check them.';
  if (findings.length === 0) return `${service}: chain in order. ${looked}; ${open}. ${unchecked}`;
  const more = findings.length >= maxFindings ? ', and stopped looking' : '';
  const lines = findings.map(({ kind, sequence, through, id, text }) => {
    const last = through === undefined || through === sequence ? '' : ` to ${through}`;
    const place = sequence === null ? 'no place' : `place ${sequence}${last}`;
    return `  ${kind.padEnd(20)} ${place}${id === null ? '' : `, row ${id}`}: ${text}`;
  });
  return [
    `${service}: TAMPERED WITH. ${findings.length} findings in ${looked}${more}; ${open}.`,
    ...lines,
    ...(report.macs === 'checked' ? [] : [unchecked]),
  ].join('\n');
}
