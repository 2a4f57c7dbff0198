import { say } from '@rubrica/contracts/error-texts/say';
import type { Database } from '@rubrica/database';
import { AppError } from '@rubrica/process';
import type { UseCase } from '@rubrica/wiring';
import { toTermsRecord } from '../store/terms-record.ts';
import { termsVersions } from '../store/terms-versions.repository.ts';

type ActiveTerms = UseCase<'terms', 'terms.active'>;

/** The one version of the type that is shown to people now. Without one: NO_ACTIVE_TERMS. */
export function createActiveTerms({ database }: { readonly database: Pick<Database, 'fork'> }): ActiveTerms {
  return async ({ type }) => {
    const version = await termsVersions(database.fork()).activeOf(type);
    if (version !== null) return toTermsRecord(version);
    throw new AppError({
      code: 'NO_ACTIVE_TERMS',
      publicMessage: say('There are no active terms and conditions of this type: {type}', { type }),
    });
  };
}
