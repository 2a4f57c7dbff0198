import type { AdministratorChange } from '@rubrica/approvals/administrator-change';
import { createText } from '@rubrica/contracts/error-texts/create-text';
import { isUniqueViolation } from '@rubrica/database/connection';
import type { RowGuard } from '@rubrica/database/guarded';
import { invalidField } from '@rubrica/process/errors';
import type { Clock } from '@rubrica/process/time';
import { auditChange, changeBy } from '../audit/change.ts';
import { protectVersion } from '../store/guarded-version.ts';
import { toTermsRecord } from '../store/terms-record.ts';
import { TermsVersion } from '../store/terms-version.entity.ts';
import { findContentFault } from './content-rules.ts';

export interface CreateVersionDeps {
  readonly clock: Clock;
  readonly newId: () => string;
  readonly rows: Pick<RowGuard, 'protect'>;
}

/** Stores a new version without activating it: activation is a separate decision. */
export function createCreateVersion({
  clock,
  newId,
  rows,
}: CreateVersionDeps): AdministratorChange<'terms.createVersion', TermsVersion> {
  return {
    async loadBefore(_, { content }) {
      const fault = findContentFault(content);
      if (fault !== undefined) throw invalidField('content', fault);
      return null;
    },

    async make(em, { type, version, content, reason }, operator) {
      const created = em.create(TermsVersion, {
        id: newId(),
        type,
        version,
        content,
        active: false,
        createdAt: clock(),
        activatedAt: null,
      });
      protectVersion(created, { rows });
      em.persist(created);
      await em.flush().catch((error: unknown) => {
        if (!isUniqueViolation(error, 'terms_version_type_version')) throw error;
        throw invalidField('version', createText('operator.termsLabelTaken', { version, type }));
      });
      await auditChange(em, changeBy(operator, reason), { action: 'terms.createVersion', version: created });
      return created;
    },

    answer: (created) => toTermsRecord(created),

    loadPresent: async () => ({}),
  };
}
