import { connectBus } from '@rubrica/bus';
import { createDatabase } from '@rubrica/database/connection';
import { openEvidenceStores } from '@rubrica/evidence-store';
import { createLogger } from '@rubrica/process/log';
import { createMetrics } from '@rubrica/process/metrics';
import { systemClock } from '@rubrica/process/time';
import { streamsConnection } from '@rubrica/wiring';
import { readConfig } from '../config.ts';
import { schema } from '../entities.ts';
import { help, parseCommand } from '../requests/evidence/change-store/read-command.ts';
import { runChange } from '../requests/evidence/change-store/run-change.ts';
import { runCheck } from '../requests/evidence/change-store/run-check.ts';

/**
 * Moves evidence to another store, or checks a store that was restored. Reads the settings of the service.
 * @returns exit code, as `help` describes it
 */
export async function run(args: readonly string[]): Promise<number> {
  const command = parseCommand(args);
  if ('help' in command) {
    process.stdout.write(help);
    return 0;
  }
  if ('faults' in command) return printFaults(command.faults);
  const { evidence, lock, nats, database: access } = readConfig();
  if ('change' in command && evidence.store !== command.change.to)
    return printFaults([
      `EVIDENCE_STORE is ${evidence.store}: what comes now goes there. Set ${command.change.to} first`,
    ]);
  if ('change' in command && evidence.s3.bucket === undefined)
    return printFaults(['EVIDENCE_S3_BUCKET is not set']);
  const service = 'intake-evidence';
  const logger = createLogger({ service, level: 'silent', format: 'json' });
  await using database = createDatabase({ ...access, schema, entities: [], logger, poolSize: 4 });
  const bus = await connectBus({ ...streamsConnection('intake', nats), onFault: () => undefined });
  const stopping = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => stopping.abort());
  try {
    const metrics = createMetrics({ service });
    const stores = await openEvidenceStores(evidence, {
      streams: bus,
      objectLock: lock.mode,
      logger,
      metrics,
    });
    const say = (text: string) => process.stdout.write(text);
    if ('check' in command) return await runCheck({ database, stores, say });
    return await runChange({ database, stores, clock: systemClock, say }, command.change, stopping.signal);
  } finally {
    await bus.close();
  }
}

function printFaults(faults: readonly string[]): number {
  for (const fault of faults) process.stderr.write(`${fault}\n`);
  return 2;
}
