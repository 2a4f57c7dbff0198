import { hostname, userInfo } from 'node:os';
import { createEntryGuard } from '@rubrica/audit/entries';
import { createDatabase } from '@rubrica/database/connection';
import { isSchemaOwner } from '@rubrica/database/migrate';
import { loadKeyring } from '@rubrica/process/keyring';
import { createLogger } from '@rubrica/process/log';
import { createMetrics } from '@rubrica/process/metrics';
import { systemClock, uuidv7 } from '@rubrica/process/time';
import { openBreakGlass } from '../access/accounts/open-break-glass.ts';
import { buildInvitationUrl } from '../access/letters/read-letter-message.ts';
import { auditLog } from '../base/audit-log.ts';
import { readBreakGlassConfig } from '../config.ts';
import { createIntakeRowGuard, entities, schema } from '../entities.ts';

/**
 * Prints a link to a session that may invite and enable operators and reset their factors, for when
 * administrators cannot sign in. Runs with the rights of the schema's owner.
 * @returns exit code: 1 if another role owns the schema
 */
export async function run(): Promise<number> {
  const { log, keys, consoleUrl, databaseOwnerUrl: url } = readBreakGlassConfig();
  const service = 'intake-break-glass';
  const logger = createLogger({ service, ...log });
  const keyring = await loadKeyring(keys, 'intake');
  const rows = createIntakeRowGuard(keyring, { logger, metrics: createMetrics({ service }) });
  const entries = createEntryGuard({ table: auditLog.table, keys: keyring });
  const subscribers = [rows.subscriber];
  await using database = createDatabase({ url, schema, entities, subscribers, entries, logger });

  if (!(await isSchemaOwner(database, schema))) {
    process.stderr.write('DATABASE_OWNER_URL is not of the role that owns the schema\n');
    return 1;
  }
  const deps = { database, keyring, rows, newId: uuidv7, clock: systemClock };
  const opened = await openBreakGlass(deps, `${userInfo().username}@${hostname()}`);
  process.stdout.write(`${buildInvitationUrl(consoleUrl, opened.token)}

Works once, until ${opened.expiresAt.toISOString()}, for a session of an hour that may invite and enable operators and
reset their factors. The audit log has it; administrators who are told by mail: ${opened.told}.
`);
  return 0;
}
