import type { Database } from '@rubrica/database/connection';
import type { Logger } from '@rubrica/process/log';
import { termsVersions } from '../store/terms-versions.repository.ts';

/**
 * Warns about types without active terms, at each provisioning and each start. A new deployment has none: its owner
 * writes them, and until then no certificate can be claimed.
 */
export async function warnOfMissingTerms({
  database,
  logger,
}: {
  readonly database: Pick<Database, 'fork'>;
  readonly logger: Logger;
}): Promise<void> {
  const types = await termsVersions(database.fork()).typesWithoutActive();
  if (types.length === 0) return;
  logger.warn(
    { code: 'NO_ACTIVE_TERMS', reason: types.join(', ') },
    'no active terms: nobody can claim these certificates until an administrator creates a version and activates it',
  );
}
