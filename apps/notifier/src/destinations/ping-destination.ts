import type { OperatorInput, OperatorOutput } from '@rubrica/contracts/operators/procedures';
import { type Database, recordAudit, runnerOf } from '@rubrica/database';
import { uuidv7 } from '@rubrica/process';
import type { NotifierDeps } from '../context.ts';
import { destinationOf } from './destination.ts';
import { workedSql } from './destination-sql.ts';

export type PingDestination = OperatorInput<'deliveries.ping'> & { actor: string };

export interface PingDeps extends Pick<NotifierDeps, 'ping' | 'nudgeNotices'> {
  readonly database: Pick<Database, 'transaction' | 'execute'>;
}

/**
 * Calls a partner's receiver once, signed and judged like any other call, and says at once what came of it. A
 * destination that takes it works, so that it is enabled if it was not. Who asked is written down before the call.
 */
export async function pingDestination(
  { database, ping, nudgeNotices }: PingDeps,
  { partnerId, url, reason, actor }: PingDestination,
): Promise<OperatorOutput<'deliveries.ping'>> {
  const id = uuidv7();
  const destination = destinationOf(url);
  await database.transaction((em) =>
    recordAudit(em, {
      actor,
      action: 'deliveries.ping',
      target: `partner:${partnerId}`,
      reason,
      details: { id, destination },
    }),
  );
  const { outcome, ...rest } = await ping({ id, partnerId, url });
  const acknowledged = outcome === 'ACKNOWLEDGED';
  if (acknowledged) {
    await database.transaction((em) => runnerOf(em).execute(workedSql, [partnerId, destination]));
    nudgeNotices();
  }
  return { id, acknowledged, outcome, ...rest };
}
