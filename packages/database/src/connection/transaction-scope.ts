import { AsyncLocalStorage } from 'node:async_hooks';

interface Scope {
  /** Which database's transaction it is: one process may have several, above all in tests. */
  readonly owner: string;
  readonly outer: Scope | undefined;
  emitted: boolean;
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

/** Runs a transaction and tells of what it emitted once it has committed. Transactions inside it join: they commit with it. */
export async function withTransactionScope<T>(options: {
  owner: string;
  transaction: () => Promise<T>;
  emitted: () => void;
}): Promise<T> {
  const { owner, transaction } = options;
  if (scopeOf(owner) !== undefined) return transaction();
  const scope: Scope = { owner, outer: scopes.getStore(), emitted: false };
  const result = await scopes.run(scope, transaction);
  if (scope.emitted) options.emitted();
  return result;
}
