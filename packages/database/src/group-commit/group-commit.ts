import type { Pool } from 'pg';
import type { Statement } from '../connection/bound-statement.ts';
import { isDatabaseUnavailable } from '../connection/errors.ts';
import { parameterOf } from './parameter-text.ts';
import { type GroupItem, type GroupMemory, StatementGroup } from './statement-group.ts';

export interface GroupCommit {
  /** The statement's rows, once it is committed. @throws its own fault, never that of another beside it */
  run(statement: Statement): Promise<Record<string, unknown>[]>;
}

interface Waiting extends GroupItem {
  readonly resolve: (rows: Record<string, unknown>[]) => void;
  readonly reject: (fault: unknown) => void;
}

interface GroupCommitOptions {
  readonly pool: () => Promise<Pool>;
  /** Groups under way at once; what comes meanwhile waits together. */
  readonly lanes: number;
  /** Whether connections keep what was prepared on them; behind a pooler in transaction mode they do not. */
  readonly prepares: boolean;
}

/** Of one group: the last of them waits for the first, and a failed one is repeated. */
const mostStatements = 32;

/**
 * Runs statements that come at the same time together, as one message and one commit. One that comes alone goes alone
 * and at once; under load those that arrive while others are under way gather (group commit).
 */
export function createGroupCommit({ pool, lanes, prepares }: GroupCommitOptions): GroupCommit {
  const known: GroupMemory = { shapes: new Map(), prepares };
  const waiting: Waiting[] = [];
  let busy = 0;
  let scheduled = false;
  const start = () => {
    scheduled = false;
    while (busy < lanes && waiting.length > 0) void lane();
  };
  const lane = async () => {
    busy += 1;
    while (waiting.length > 0) await settle(waiting.splice(0, mostStatements));
    busy -= 1;
  };
  const settle = async (items: readonly Waiting[]) => {
    try {
      const rows = await runTogether(await pool(), items, known);
      for (const [index, item] of items.entries()) item.resolve(rows[index] ?? []);
    } catch (fault) {
      // Nothing of the group counts, and which statement was at fault is not said: each runs by itself.
      if (items.length > 1 && !isDatabaseUnavailable(fault)) for (const item of items) await settle([item]);
      else for (const item of items) item.reject(fault);
    }
  };
  return {
    run: (statement) =>
      new Promise((resolve, reject) => {
        const parameters = statement.params.map(parameterOf);
        waiting.push({ statement, parameters, resolve, reject });
        if (scheduled || busy === lanes) return;
        scheduled = true;
        // Calls that arrived together begin in one turn of the event loop: what they ask for goes together.
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
