import { runVerifyCommand } from '@rubrica/app/audit';
import { auditTable } from './audit/audit-table.ts';
import { readAuditConfig } from './config.ts';
import { schema } from './store/schema.ts';

/** For auditors: reads DATABASE_URL and PEERS_FILE; arguments as in the README of packages/database. */
process.exitCode = await runVerifyCommand({
  schema,
  table: auditTable,
  args: process.argv.slice(2),
  readConfig: readAuditConfig,
  out: (text) => process.stdout.write(`${text}\n`),
  err: (text) => process.stderr.write(text),
  isWatched: process.stderr.isTTY,
});
