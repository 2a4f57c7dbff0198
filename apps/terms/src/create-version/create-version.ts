import { type Database, isUniqueViolation } from '@rubrica/database';
import { type Clock, invalidField } from '@rubrica/process';
import type { OperatorUseCase } from '@rubrica/wiring';
import { auditChange, changeBy } from '../audit/change.ts';
import { toTermsRecord } from '../store/terms-record.ts';
import { TermsVersion } from '../store/terms-version.entity.ts';
import { contentFault } from './content-rules.ts';

export interface CreateVersionDeps {
  readonly database: Pick<Database, 'transaction'>;
  readonly clock: Clock;
  readonly newId: () => string;
}

type CreateVersion = OperatorUseCase<'terms.createVersion'>;

/** Keeps a new version, not yet active: activation is a decision of its own. */
export function createCreateVersion({ database, clock, newId }: CreateVersionDeps): CreateVersion {
  return async ({ type, version, content, reason }, { caller }) => {
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
        await auditChange(em, changeBy(caller, reason), { action: 'terms.createVersion', version: created });
        return toTermsRecord(created);
      });
    } catch (error) {
      if (!isUniqueViolation(error, 'terms_version_type_version')) throw error;
      throw invalidField('version', `version "${version}" of ${type} exists already: choose another label`);
    }
  };
}
