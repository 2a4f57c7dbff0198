import type { RoleLoad } from '@rubrica/database/connection';

/** Limits of the alerts `RubricaDatabaseManyLocks` and `RubricaDatabaseOldSnapshot`. */
const maxLocks = 2_000;
const maxSnapshotAge = 200_000;

/**
 * Finds roles, of any service, that fill the server's table of locks or prevent vacuum.
 * @returns a fault for each
 */
export function judgeLoad(roles: readonly RoleLoad[]): string[] {
  return roles.flatMap(({ role, locks, snapshotAge }) => [
    ...(locks > maxLocks ? [`role ${role} holds ${locks} locks`] : []),
    ...(snapshotAge > maxSnapshotAge
      ? [`role ${role} holds a snapshot ${snapshotAge} transactions old`]
      : []),
  ]);
}
