import { setTimeout as wait } from 'node:timers/promises';
import { MINUTE_MS } from '@rubrica/contracts/shared/durations';
import { checkRows, createRowGuard, type Database, guardedTable, type RowGuard } from '@rubrica/database';
import type { Keyring, ServiceParts } from '@rubrica/process';
import { OperatorEntity } from './operators/operator.entity.ts';
import { PartnerKeyEntity } from './partners/keys/partner-key.entity.ts';
import { ApiTokenEntity, PartnerEntity, WebhookSecretEntity } from './partners/partner.entity.ts';

/** Rows that give rights, and the fields that do. A field that is added to such an entity belongs here, unless it gives none. */
const tables = [
  guardedTable(OperatorEntity, ['email', 'passwordHash', 'role', 'enabled', 'gen']),
  guardedTable(PartnerEntity, [
    'clientId',
    'clientSecretSha256',
    'clientSecretEnabled',
    'passwordConfiguration',
    'reviewPolicy',
    'legacyPkcs12',
    'scopes',
    'enabled',
    'gen',
  ]),
  guardedTable(PartnerKeyEntity, ['partnerId', 'algorithm', 'jwk', 'thumbprint', 'removedAt']),
  guardedTable(ApiTokenEntity, ['partnerId', 'tokenSha256', 'scopes', 'expiresAt', 'revokedAt']),
  guardedTable(WebhookSecretEntity, ['partnerId', 'sealed', 'publicKey', 'expiresAt']),
];

type Alarm = Pick<ServiceParts, 'logger' | 'metrics'>;
type Macs = Pick<Keyring, 'mac' | 'isMac' | 'isPresentMac'>;

/** The guard of those rows; a row that fails is counted and logged, and stands in the operators' overview. */
export function createIntakeRowGuard(keyring: Macs, { logger, metrics }: Alarm): RowGuard {
  const failures = metrics.counter({
    name: 'rows_not_authentic_total',
    help: 'Rows that give rights and were found not to be as this service wrote them',
    labels: ['table'],
  });
  return createRowGuard({
    keys: keyring,
    tables,
    onFailed({ table, id }) {
      failures.inc({ table });
      logger.error({ table, subject: id }, 'a row is not as this service wrote it, and counts as disabled');
    },
  });
}

const lookEveryMs = 10 * MINUTE_MS;
const lookAtKeyEveryMs = 5_000;

/** Looks at all guarded rows from time to time, and at once where another key is to make their MACs. */
export function startRowCheck(
  deps: { readonly database: Pick<Database, 'execute'>; readonly keyring: Macs; readonly rows: RowGuard },
  { logger, runner }: Pick<ServiceParts, 'logger' | 'runner'>,
): void {
  const { database, keyring, rows: guard } = deps;
  const stopping = new AbortController();
  async function look(): Promise<void> {
    const count = await checkRows({ database, guard, keys: keyring, tables });
    if (count > 0) logger.info({ count }, 'rows have MACs of the present key');
  }
  async function run(): Promise<void> {
    const { signal } = stopping;
    for (let next = 0, probe = ''; !signal.aborted; ) {
      if (performance.now() >= next || !keyring.isPresentMac(probe)) {
        try {
          const made = keyring.mac('');
          await look();
          probe = made;
        } catch (err) {
          logger.warn({ err }, 'the rows that give rights could not be checked');
        }
        next = performance.now() + lookEveryMs;
      }
      await wait(lookAtKeyEveryMs, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }
  const ended = run();
  runner.own('check of rows', async () => {
    stopping.abort();
    await ended;
  });
}
