import type { EntityManager } from '@mikro-orm/postgresql';
import type { EntryGuard } from './entry-guard.ts';

/**
 * Guards by the name under which the ORM knows a database. A transaction's entity manager offers nothing else of it.
 */
const guards = new Map<string, EntryGuard>();

export function keepEntryGuard(contextName: string, guard: EntryGuard): void {
  guards.set(contextName, guard);
}

export function forgetEntryGuard(contextName: string): void {
  guards.delete(contextName);
}

/**
 * Finds the guard of the entries that are written through a database or one of its transactions.
 * @throws Error if it has no key for them: an entry without a MAC does not count
 */
export function findEntryGuard(target: object | { readonly entries: EntryGuard }): EntryGuard {
  if ('entries' in target) return target.entries;
  const guard =
    'getKysely' in target ? guards.get((target as EntityManager).config.get('contextName')) : undefined;
  if (guard === undefined) throw new Error('this access to the database has no key for audit entries');
  return guard;
}
