import { createText } from '@rubrica/contracts/error-texts/create-text';
import type { Database } from '@rubrica/database/connection';
import type { RowGuard } from '@rubrica/database/guarded';
import { AppError } from '@rubrica/process/errors';
import type { UseCase } from '@rubrica/wiring';
import { isIntactVersion } from '../store/guarded-version.ts';
import { toTermsRecord } from '../store/terms-record.ts';
import { termsVersions } from '../store/terms-versions.repository.ts';

type ActiveTerms = UseCase<'terms', 'terms.active'>;

/**
 * Returns the version of the type that applicants see now.
 * @throws AppError NO_ACTIVE_TERMS; SERVICE_UNAVAILABLE, with an alarm, where it was changed or deactivated in the
 * database directly
 */
export function createActiveTerms({
  database,
  rows,
}: {
  readonly database: Pick<Database, 'fork'>;
  readonly rows: Pick<RowGuard, 'isIntact'>;
}): ActiveTerms {
  return async ({ type }) => {
    const versions = termsVersions(database.fork());
    const version = await versions.activeOf(type);
    if (version !== null) {
      if (isIntactVersion(version, { rows })) return toTermsRecord(version);
      throw new AppError({ code: 'SERVICE_UNAVAILABLE' });
    }
    // A version that was deactivated in the database directly raises the alarm; it is not a type without terms.
    const others = await versions.ofType(type);
    if (others.map((other) => isIntactVersion(other, { rows })).includes(false))
      throw new AppError({ code: 'SERVICE_UNAVAILABLE' });
    throw new AppError({
      code: 'NO_ACTIVE_TERMS',
      text: createText('request.noActiveTerms', { type }),
    });
  };
}
