import { crashpoint } from '@rubrica/process/crashpoint';
import { auditCrashPoints, genesis } from '../log/audit-table.ts';
import { AuditChainBroken, type ChainPosition, type ChainSession, chainRows } from './chain-rows.ts';
import type { RawAuditRow } from './chained-row.ts';
import type { ChainerOptions } from './chainer-options.ts';
import type { ChainerSql } from './chainer-sql.ts';

/**
 * Starts the chain with an entry that states so, and the time, in one transaction. Position 1 is never assigned to an
 * existing row: an attacker who empties the log to start again cannot make the new chain look like the old one.
 */
export async function startChain(
  chain: ChainSession & Pick<ChainerOptions, 'entries'>,
  sql: ChainerSql,
): Promise<ChainPosition> {
  const { session, table, entries } = chain;
  const mac = entries?.protect(table.chainStart);
  const end = { sequence: 0, hash: genesis.toString('hex') };
  await session.query({ text: 'begin' });
  const rows = await session.query<RawAuditRow>(sql.insertStart, [
    ...Object.values(table.chainStart),
    mac?.entryId ?? null,
    mac?.entryMac ?? null,
  ]);
  crashpoint(auditCrashPoints.duringStart);
  // After a fault here the session ends, and PostgreSQL rolls back.
  const place = await chainRows(chain, sql, { rows, end });
  if (place === undefined) throw new AuditChainBroken('the chain has a row before its beginning');
  await session.query({ text: 'commit' });
  return place;
}
