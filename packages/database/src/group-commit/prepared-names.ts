import type { ClientBase } from 'pg';

const preparedOn = new WeakMap<ClientBase, Set<string>>();

/** Names that are prepared on a connection. They must differ from those that `pg` prepares there itself. */
export function preparedNames(client: ClientBase): Set<string> {
  const known = preparedOn.get(client) ?? new Set<string>();
  preparedOn.set(client, known);
  return known;
}
