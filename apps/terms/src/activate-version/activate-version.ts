import { createText } from '@rubrica/contracts/error-texts/create-text';
import { type Clock, invalidField } from '@rubrica/process';
import type { AdministratorChange, Transaction } from '@rubrica/wiring/approvals';
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
 * Makes the version the active one of its type; the one before it stops in the same transaction. Activations of a
 * type run one after the other, and the last one stands. Activating the active version changes nothing and leaves
 * no audit row.
 */
export function createActivateVersion({
  database,
  clock,
  rows,
}: ActivateVersionDeps): AdministratorChange<'terms.activate'> {
  return {
    /** With what it replaces: who approves an activation approves the end of that very version too. */
    async before(em, { id }) {
      const version = await lockVersion(em, id);
      assertIntactVersion(version, { rows });
      const { type, version: label, active } = version;
      const replaced = active ? null : await termsVersions(em).activeOf(type);
      return { id, type, version: label, active, replaces: replaced?.id ?? null };
    },

    async make(em, { id, reason }, operator) {
      const version = await lockVersion(em, id);
      assertIntactVersion(version, { rows });
      if (version.active) return () => toTermsRecord(version);
      const replaced = await termsVersions(em).activeOf(version.type);
      if (replaced !== null) {
        // Another MAC would make a version that failed the service's own word.
        const isIntact = isIntactVersion(replaced, { rows });
        replaced.active = false;
        if (isIntact) protectVersion(replaced, { rows });
        // By itself, before the other: the unique index looks at every row as it is written.
        await em.flush();
      }
      version.active = true;
      version.activatedAt = clock();
      protectVersion(version, { rows });
      await auditChange(em, changeBy(operator, reason), { action: 'terms.activate', version, replaced });
      await em.flush();
      return () => toTermsRecord(version);
    },

    asItIs: async ({ id }) => toTermsRecord(await versionOf(database.fork(), id)),
  };
}

async function lockVersion(em: Transaction, id: string): Promise<TermsVersion> {
  const version = await versionOf(em, id);
  await termsVersions(em).lockType(version.type);
  // Read again: while this transaction waited for the lock, another may have activated the same version.
  await em.refresh(version);
  return version;
}

/** @throws AppError FIELD_INVALID */
async function versionOf(em: Parameters<typeof termsVersions>[0], id: string): Promise<TermsVersion> {
  const version = await termsVersions(em).byId(id);
  if (version === null) throw invalidField('id', createText('operator.termsNotFound', { id }));
  return version;
}
