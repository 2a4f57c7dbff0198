import { AsyncLocalStorage } from 'node:async_hooks';
import { TransactionRequired } from './errors.ts';

interface Scope {
  /** Which database's transaction it is: one process may have several, above all in tests. */
  readonly owner: string;
  readonly outer: Scope | undefined;
  emitted: boolean;
  readonly callbacks: (() => void)[];
}

const scopes = new AsyncLocalStorage<Scope>();

function scopeOf(owner: string): Scope | undefined {
  let scope = scopes.getStore();
  while (scope !== undefined && scope.owner !== owner) scope = scope.outer;
  return scope;
}

/** Notes that the owner's transaction wrote outbox rows, so that the relay is nudged once it has committed. */
export function noteEmitted(owner: string): void {
  const scope = scopeOf(owner);
  if (scope !== undefined) scope.emitted = true;
}

/**
 * Runs `callback` after the transaction under way has committed, and never when it rolls back. Only for what
 * may be lost with the process (a wake-up, a cache entry): what must happen belongs in the outbox.
 * @throws TransactionRequired outside `database.transaction(...)`.
 */
export function afterCommit(callback: () => void): void {
  const scope = scopes.getStore();
  if (scope === undefined) throw new TransactionRequired('afterCommit');
  scope.callbacks.push(callback);
}

/** Runs a transaction and then what it left to do. Transactions inside it join: they commit with it. */
export async function withTransactionScope<T>(options: {
  owner: string;
  transaction: () => Promise<T>;
  emitted: () => void;
  callbackFailed: (error: unknown) => void;
}): Promise<T> {
  const { owner, transaction } = options;
  if (scopeOf(owner) !== undefined) return transaction();
  const scope: Scope = { owner, outer: scopes.getStore(), emitted: false, callbacks: [] };
  const result = await scopes.run(scope, transaction);
  if (scope.emitted) options.emitted();
  for (const callback of scope.callbacks) {
    // The commit stands whatever a callback does; throwing here would tell the caller it had failed.
    try {
      callback();
    } catch (error) {
      options.callbackFailed(error);
    }
  }
  return result;
}
