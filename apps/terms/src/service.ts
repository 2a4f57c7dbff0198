import { expireChanges } from '@rubrica/approvals/expire-changes';
import { startAuditChain } from '@rubrica/audit/chain';
import { openKeyring } from '@rubrica/process/keyring';
import type { BuiltService, ServiceParts } from '@rubrica/process/runner';
import { uuidv7 } from '@rubrica/process/time';
import { createCallTokenVerifier } from '@rubrica/process/tokens';
import { createPeers, openBus, serveRouters } from '@rubrica/wiring';
import {
  assertSandbox,
  openDatabase,
  openRowGuard,
  startRowCheck,
  startSweeper,
} from '@rubrica/wiring/database';
import { warnOfMissingTerms } from './active-terms/warn-of-missing-terms.ts';
import type { TermsConfig } from './config.ts';
import type { TermsDeps } from './context.ts';
import { createRouters } from './router.ts';
import { auditLog } from './store/audit-log.ts';
import { entities, guardedTables, schema } from './store/schema.ts';

/** Short, because an operator waits for the answer. */
const peerTimeoutMs = 5_000;

/** Wires the service. Resources close in reverse order: calls before the bus, the bus before the database. */
export async function buildService(config: TermsConfig, parts: ServiceParts): Promise<BuiltService> {
  const keyring = await openKeyring(config.keys, 'terms', parts);
  const audit = { table: auditLog.table, keys: keyring };
  const database = openDatabase({ ...config.database, schema, entities, audit }, parts);
  const bus = await openBus('terms', { ...config, keyring }, parts);
  const rows = openRowGuard({ keyring, tables: guardedTables }, parts);
  const peers = createPeers({ self: 'terms', bus, timeoutMs: peerTimeoutMs });
  const deps: TermsDeps = { database, keyring, rows, peers, clock: parts.clock.bestKnown, newId: uuidv7 };
  return {
    async start() {
      await parts.clock.measured();
      await assertSandbox({ database, sandbox: config.sandbox }, parts);
      startAuditChain({ ...deps, table: auditLog.table }, parts);
      startRowCheck({ ...deps, tables: guardedTables }, parts);
      const tasks = expireChanges('terms', { form: 'standard', now: deps.clock });
      startSweeper({ database, tasks }, parts);
      const identify = createCallTokenVerifier({ keyring, self: 'terms', nowMs: parts.clock.nowMs });
      await serveRouters({ name: 'terms', bus, identify, routers: createRouters(deps) }, parts);
      const { logger } = parts;
      // The start does not wait for the database; provisioning has logged this warning too.
      warnOfMissingTerms({ database, logger }).catch((err: unknown) => {
        logger.debug({ err }, 'missing terms check failed');
      });
    },
  };
}
