import { errorCatalogue } from '@rubrica/contracts/shared/errors';
import type { TermsRecord, TermsType } from '@rubrica/contracts/shared/terms';
import type { Database } from '@rubrica/database';
import { AppError } from '@rubrica/process';
import { toTermsRecord } from '../store/terms-record.ts';
import { termsVersions } from '../store/terms-versions.repository.ts';

/** The one version of the type that is shown to people now. Without one: NO_ACTIVE_TERMS. */
export async function activeTerms(
  { database }: { database: Pick<Database, 'fork'> },
  type: TermsType,
): Promise<TermsRecord> {
  const version = await termsVersions(database.fork()).activeOf(type);
  if (version !== null) return toTermsRecord(version);
  throw new AppError({
    code: 'NO_ACTIVE_TERMS',
    publicMessage: `${errorCatalogue.NO_ACTIVE_TERMS.en}: ${type}`,
  });
}
