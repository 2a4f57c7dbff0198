import type { OperatorInput } from '@rubrica/contracts/operators/procedures';
import type { TermsRecord } from '@rubrica/contracts/shared/terms';
import { type Database, isUniqueViolation } from '@rubrica/database';
import type { Clock } from '@rubrica/process';
import { auditChange, type Change } from '../audit/change.ts';
import { invalidField } from '../invalid-field.ts';
import { toTermsRecord } from '../store/terms-record.ts';
import { TermsVersion } from '../store/terms-version.entity.ts';
import { contentFault } from './content-rules.ts';

export interface CreateVersionDeps {
  readonly database: Pick<Database, 'transaction'>;
  readonly clock: Clock;
  readonly newId: () => string;
}

/** Keeps a new version, not yet active: activation is a decision of its own. */
export async function createVersion(
  { database, clock, newId }: CreateVersionDeps,
  { type, version, content }: Pick<OperatorInput<'terms.createVersion'>, 'type' | 'version' | 'content'>,
  change: Change,
): Promise<TermsRecord> {
  const fault = contentFault(content);
  if (fault !== undefined) throw invalidField('content', fault);
  try {
    return await database.transaction(async (em) => {
      const created = em.create(TermsVersion, {
        id: newId(),
        type,
        version,
        content,
        active: false,
        createdAt: clock(),
        activatedAt: null,
      });
      em.persist(created);
      await em.flush();
      await auditChange(em, change, { action: 'terms.createVersion', version: created });
      return toTermsRecord(created);
    });
  } catch (error) {
    if (!isUniqueViolation(error, 'terms_version_type_version')) throw error;
    throw invalidField('version', `version "${version}" of ${type} exists already: choose another label`);
  }
}
