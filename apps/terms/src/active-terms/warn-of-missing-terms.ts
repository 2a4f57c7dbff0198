import type { Database } from '@rubrica/database';
import type { Logger } from '@rubrica/process';
import { termsVersions } from '../store/terms-versions.repository.ts';

/**
 * Says which types have no terms in force, at each provisioning and each start. A deployment begins without any: what
 * people accept is for its owner to write, and until then nobody can claim a certificate.
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
