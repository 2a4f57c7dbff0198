import { open, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from 'pg';
import { readStatements, type SeenStatement } from './read-log.ts';

/** Loads `auto_explain` into each new session; it logs nothing until `startPlans`. */
export async function preparePlans(client: Client, planner: Readonly<Record<string, string>>): Promise<void> {
  await client.query("load 'auto_explain'");
  for (const [name, value] of Object.entries({
    session_preload_libraries: 'auto_explain',
    'auto_explain.log_min_duration': '-1',
    'auto_explain.log_analyze': 'on',
    'auto_explain.log_buffers': 'on',
    'auto_explain.log_verbose': 'on',
    'auto_explain.log_format': 'json',
    ...planner,
  }))
    await client.query(`alter system set ${name} = '${value}'`);
  await client.query('select pg_reload_conf()');
}

export interface PlanLog {
  /** Collects the statements of all sessions during `work`. */
  during<T>(work: () => Promise<T>): Promise<{ readonly result: T; readonly statements: SeenStatement[] }>;
  stop(): Promise<void>;
}

/** Logs every statement of every service with its plan from this call on. */
export async function startPlans(client: Client, home: string): Promise<PlanLog> {
  const file = join(home, 'logs', 'postgres.log');
  const set = async (value: string) => {
    await client.query(`alter system set auto_explain.log_min_duration = '${value}'`);
    await client.query('select pg_reload_conf()');
    // Idle sessions apply it with their next statement, a moment after the signal.
    await delay(500);
  };
  await set('0');
  return {
    async during(work) {
      const from = (await stat(file)).size;
      const result = await work();
      // A separate process writes the log.
      await delay(150);
      return { result, statements: readStatements(await readFrom(file, from)) };
    },
    stop: () => set('-1'),
  };
}

async function readFrom(file: string, from: number): Promise<string> {
  await using handle = await open(file);
  const { size } = await handle.stat();
  const { buffer } = await handle.read(Buffer.alloc(size - from), 0, size - from, from);
  return buffer.toString('utf8');
}
