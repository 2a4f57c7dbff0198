import { AsyncLocalStorage } from 'node:async_hooks';

interface Scope {
  /** Database of the transaction: a process may have several, above all in tests. */
  readonly owner: string;
  readonly outer: Scope | undefined;
  emitted: boolean;
}

const scopes = new AsyncLocalStorage<Scope>();

function findScope(owner: string): Scope | undefined {
  let scope = scopes.getStore();
  while (scope !== undefined && scope.owner !== owner) scope = scope.outer;
  return scope;
}

/** Records that the owner's transaction wrote outbox rows, so that the relay is notified after its commit. */
export function noteEmitted(owner: string): void {
  const scope = findScope(owner);
  if (scope !== undefined) scope.emitted = true;
}

/**
 * Runs a transaction and reports after its commit whether it emitted. Nested transactions join it and commit with it.
 */
export async function withTransactionScope<T>(options: {
  owner: string;
  transaction: () => Promise<T>;
  emitted: () => void;
}): Promise<T> {
  const { owner, transaction } = options;
  if (findScope(owner) !== undefined) return transaction();
  const scope: Scope = { owner, outer: scopes.getStore(), emitted: false };
  const result = await scopes.run(scope, transaction);
  if (scope.emitted) options.emitted();
  return result;
}
