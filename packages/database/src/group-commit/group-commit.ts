import type { Pool } from 'pg';
import type { Statement } from '../connection/bound-statement.ts';
import { isDatabaseUnavailable } from '../connection/errors.ts';
import { toParameter } from './parameter-text.ts';
import { type GroupItem, type GroupMemory, StatementGroup } from './statement-group.ts';

export interface GroupCommit {
  /**
   * Runs a statement and returns its rows after the commit.
   * @throws its own fault, never that of another statement of the group
   */
  run(statement: Statement): Promise<Record<string, unknown>[]>;
}

interface WaitingItem extends GroupItem {
  readonly resolve: (rows: Record<string, unknown>[]) => void;
  readonly reject: (fault: unknown) => void;
}

interface GroupCommitOptions {
  readonly pool: () => Promise<Pool>;
  /** Number of groups in progress at once; statements that arrive meanwhile wait together. */
  readonly lanes: number;
  /** Connections keep prepared statements; behind a pooler in transaction mode they do not. */
  readonly prepares: boolean;
}

/** Maximum statements of one group: the last waits for those before it, and a failed group is repeated. */
const maxStatements = 32;

/**
 * Creates the group commit, which runs statements of the same time as one message with one commit. A single statement
 * runs alone and immediately; under load, statements that arrive while others are in progress are grouped.
 */
export function createGroupCommit({ pool, lanes, prepares }: GroupCommitOptions): GroupCommit {
  const known: GroupMemory = { shapes: new Map(), prepares };
  const waiting: WaitingItem[] = [];
  let busy = 0;
  let scheduled = false;
  const start = () => {
    scheduled = false;
    while (busy < lanes && waiting.length > 0) void lane();
  };
  const lane = async () => {
    busy += 1;
    while (waiting.length > 0) await settle(waiting.splice(0, maxStatements));
    busy -= 1;
  };
  const settle = async (items: readonly WaitingItem[]) => {
    try {
      const rows = await runTogether(await pool(), items, known);
      for (const [index, item] of items.entries()) item.resolve(rows[index] ?? []);
    } catch (fault) {
      // Nothing of the group was committed, and the faulty statement is unknown: each runs separately.
      if (items.length > 1 && !isDatabaseUnavailable(fault)) for (const item of items) await settle([item]);
      else for (const item of items) item.reject(fault);
    }
  };
  return {
    run: (statement) =>
      new Promise((resolve, reject) => {
        const parameters = statement.params.map(toParameter);
        waiting.push({ statement, parameters, resolve, reject });
        if (scheduled || busy === lanes) return;
        scheduled = true;
        // Calls that arrived together start in one tick of the event loop: their statements are grouped.
        setImmediate(start);
      }),
  };
}

async function runTogether(pool: Pool, items: readonly GroupItem[], memory: GroupMemory) {
  const client = await pool.connect();
  const group = new StatementGroup(client, items, memory);
  try {
    const rows = await group.run();
    client.release();
    return rows;
  } catch (fault) {
    client.release(group.spoilsConnection());
    throw fault;
  }
}
