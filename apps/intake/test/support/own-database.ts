import { createEntryGuard } from '@rubrica/audit/entries';
import { createDatabase } from '@rubrica/database/connection';
import type { EntryGuard } from '@rubrica/database/entries';
import { loadKeyring } from '@rubrica/process/keyring';
import { createLogger } from '@rubrica/process/log';
import { createMetrics } from '@rubrica/process/metrics';
import type { TestGround } from '@rubrica/testkit';
import { OperatorEntity } from '../../src/access/operators/operator.entity.ts';
import { PartnerEntity } from '../../src/access/partners/partner.entity.ts';
import { auditLog } from '../../src/base/audit-log.ts';
import { createIntakeRowGuard, entities, schema } from '../../src/entities.ts';

/** Intake's database as intake has it, key of its rows included: what is written here is its own word. */
export async function ownDatabase({ env, service }: Pick<TestGround, 'env' | 'service'>) {
  const logger = createLogger({ service: 'intake', level: 'silent', format: 'json' });
  const { KEYS_FILE: keysFile = '', PEERS_FILE: peersFile = '' } = env;
  const keyring = await loadKeyring({ keysFile, peersFile }, 'intake');
  const rows = createIntakeRowGuard(keyring, { logger, metrics: createMetrics({ service: 'intake' }) });
  const subscribers = [rows.subscriber];
  const entries = createEntryGuard({ table: auditLog.table, keys: keyring });
  const database = createDatabase({ url: service.appUrl, schema, entities, subscribers, entries, logger });
  return { database, rows, keyring, [Symbol.asyncDispose]: () => database.close() };
}

/** MACs of audit entries by the keys of the service under test. */
export async function openEntries({ env }: Pick<TestGround, 'env'>): Promise<EntryGuard> {
  const { KEYS_FILE: keysFile = '', PEERS_FILE: peersFile = '' } = env;
  return createEntryGuard({
    table: auditLog.table,
    keys: await loadKeyring({ keysFile, peersFile }, 'intake'),
  });
}

type Ground = Parameters<typeof ownDatabase>[0];

/** As an administrator would have it changed, without the rules of that. */
export async function changePartner(ground: Ground, id: string, change: object): Promise<void> {
  await using own = await ownDatabase(ground);
  await own.database.transaction(async (em) => {
    em.assign(await em.findOneOrFail(PartnerEntity, { id }), change);
  });
}

export async function changeOperator(ground: Ground, id: string, change: object): Promise<void> {
  await using own = await ownDatabase(ground);
  await own.database.transaction(async (em) => {
    em.assign(await em.findOneOrFail(OperatorEntity, { id }), change);
  });
}
