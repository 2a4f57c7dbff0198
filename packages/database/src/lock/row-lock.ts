import { setTimeout as delay } from 'node:timers/promises';
import type { EntityManager } from '@mikro-orm/postgresql';
import { toSqlRunner } from '../connection/sql-runner.ts';
import { statement } from '../statement/statement.ts';
import { tryPreviousLock } from './previous-release.ts';

interface Named {
  readonly name: string;
}

/** Locks the row although nothing is updated: `on conflict do update` also locks rows that its condition excludes. */
const wait = statement<Named>({
  name: 'wait-for-named-lock',
  sql: `insert into named_lock as lock (name) values (:name)
    on conflict (name) do update set name = lock.name where false`,
});

const attempt = statement<Named>({
  name: 'try-named-lock',
  sql: 'select 1 from named_lock where name = :name for update skip locked',
});

/** Inserts the row: like an existing one, it is locked until its transaction ends. */
const create = statement<Named>({
  name: 'create-named-lock',
  sql: 'insert into named_lock (name) values (:name) on conflict (name) do nothing returning 1',
});

/**
 * Takes a lock of this schema until the transaction ends, and waits for it.
 * @param options.previous name of the corresponding advisory lock of the previous release
 */
export async function lockName(
  em: EntityManager,
  name: string,
  options: { readonly previous?: string } = {},
): Promise<void> {
  await wait.run(em, { name });
  const { previous } = options;
  if (previous === undefined) return;
  const { execute } = toSqlRunner(em);
  while (!(await tryPreviousLock(execute, previous, 'transaction'))) await delay(20);
}

/** Takes a lock of this schema until the transaction ends; returns false immediately if another transaction has it. */
export async function tryLockName(em: EntityManager, name: string): Promise<boolean> {
  if ((await attempt.run(em, { name })).length > 0) return true;
  return (await create.run(em, { name })).length > 0;
}
