import { recordAudit } from '@rubrica/audit/log';
import type { Database } from '@rubrica/database/connection';
import { uuidv7 } from '@rubrica/process/time';
import type { OperatorUseCase } from '@rubrica/wiring';
import { toDestination } from './destination.ts';
import { recordWorking } from './destination-sql.ts';
import type { PingCall, PingResult } from './send-ping.ts';

export interface PingDestinationDeps {
  readonly database: Pick<Database, 'statement' | 'transaction'>;
  readonly ping: (call: PingCall) => Promise<PingResult>;
  readonly nudgeNotices: () => void;
}

/**
 * Calls a partner's receiver once, signed and judged like a delivery, and returns the outcome. A destination that
 * acknowledges is enabled. The audit row is written before the call.
 */
export function createPingDestination({
  database,
  ping,
  nudgeNotices,
}: PingDestinationDeps): OperatorUseCase<'deliveries.ping'> {
  return async ({ partnerId, url, reason }, { caller, token: operatorToken = '' }) => {
    const id = uuidv7();
    const destination = toDestination(url);
    await database.transaction((em) =>
      recordAudit(em, {
        actor: `operator:${caller.email}`,
        action: 'deliveries.ping',
        target: `partner:${partnerId}`,
        reason,
        details: { id, destination },
      }),
    );
    const { outcome, ...rest } = await ping({ id, partnerId, url, operatorToken });
    const acknowledged = outcome === 'ACKNOWLEDGED';
    if (acknowledged) {
      await recordWorking.run(database, { partnerId, destination });
      nudgeNotices();
    }
    return { id, acknowledged, outcome, ...rest };
  };
}
