import type { RoleLoad } from '@rubrica/database';

/** Limits of the alerts `RubricaDatabaseManyLocks` and `RubricaDatabaseOldSnapshot`. */
const mostLocks = 2_000;
const oldestSnapshot = 200_000;

/**
 * Finds roles that fill the server's table of locks or keep its deleted rows from being vacuumed, whichever service's they are.
 * @returns a fault of each
 */
export function judgeLoad(roles: readonly RoleLoad[]): string[] {
  return roles.flatMap(({ role, locks, snapshotAge }) => [
    ...(locks > mostLocks ? [`role ${role} holds ${locks} locks`] : []),
    ...(snapshotAge > oldestSnapshot
      ? [`role ${role} holds a snapshot ${snapshotAge} transactions old`]
      : []),
  ]);
}
