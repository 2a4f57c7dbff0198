import type { AdministratorChange, Transaction } from '@rubrica/approvals/administrator-change';
import { createText } from '@rubrica/contracts/error-texts/create-text';
import { invalidField } from '@rubrica/process/errors';
import type { Clock } from '@rubrica/process/time';
import { auditChange, changeBy } from '../audit/change.ts';
import type { TermsDeps } from '../context.ts';
import { assertIntactVersion, isIntactVersion, protectVersion } from '../store/guarded-version.ts';
import { toTermsRecord } from '../store/terms-record.ts';
import type { TermsVersion } from '../store/terms-version.entity.ts';
import { termsVersions } from '../store/terms-versions.repository.ts';

export interface ActivateVersionDeps extends Pick<TermsDeps, 'database' | 'rows'> {
  readonly clock: Clock;
}

/**
 * Activates the version and deactivates the previous one of its type in the same transaction. Activations of a type are
 * serialised, and the last one wins. Activating the active version changes nothing and writes no audit row.
 */
export function createActivateVersion({
  database,
  clock,
  rows,
}: ActivateVersionDeps): AdministratorChange<'terms.activate', TermsVersion> {
  return {
    /** Returns the version with the one that it replaces: the approver also approves the end of that exact version. */
    async loadBefore(em, { id }) {
      const version = await lockVersion(em, id);
      assertIntactVersion(version, { rows });
      const { type, version: label, active } = version;
      const replaced = active ? null : await termsVersions(em).activeOf(type);
      return { id, type, version: label, active, replaces: replaced?.id ?? null };
    },

    async make(em, { id, reason }, operator) {
      const version = await lockVersion(em, id);
      assertIntactVersion(version, { rows });
      if (version.active) return version;
      const replaced = await termsVersions(em).activeOf(version.type);
      if (replaced !== null) {
        // A new MAC would vouch for a version that failed the check.
        const isIntact = isIntactVersion(replaced, { rows });
        replaced.active = false;
        if (isIntact) protectVersion(replaced, { rows });
        // Flushed separately and first: the unique index checks each row as it is written.
        await em.flush();
      }
      version.active = true;
      version.activatedAt = clock();
      protectVersion(version, { rows });
      await auditChange(em, changeBy(operator, reason), { action: 'terms.activate', version, replaced });
      await em.flush();
      return version;
    },

    answer: (version) => toTermsRecord(version),

    loadPresent: async ({ id }) => toTermsRecord(await loadVersion(database.fork(), id)),
  };
}

async function lockVersion(em: Transaction, id: string): Promise<TermsVersion> {
  const version = await loadVersion(em, id);
  await termsVersions(em).lockType(version.type);
  // Refreshed: another transaction may have activated the same version while this one waited for the lock.
  await em.refresh(version);
  return version;
}

/**
 * Loads a version.
 * @throws AppError FIELD_INVALID
 */
async function loadVersion(em: Parameters<typeof termsVersions>[0], id: string): Promise<TermsVersion> {
  const version = await termsVersions(em).byId(id);
  if (version === null) throw invalidField('id', createText('operator.termsNotFound', { id }));
  return version;
}
