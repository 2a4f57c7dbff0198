import type { Database } from '@rubrica/database';
import { type Clock, invalidField } from '@rubrica/process';
import type { OperatorUseCase } from '@rubrica/wiring';
import { auditChange, changeBy } from '../audit/change.ts';
import { toTermsRecord } from '../store/terms-record.ts';
import { termsVersions } from '../store/terms-versions.repository.ts';

export interface ActivateVersionDeps {
  readonly database: Pick<Database, 'transaction'>;
  readonly clock: Clock;
}

type ActivateVersion = OperatorUseCase<'terms.activate'>;

/**
 * Makes the version the active one of its type; the one before it stops in the same transaction. Activations of a
 * type run one after the other, and the last one stands. Activating the active version changes nothing and leaves
 * no audit row.
 */
export function createActivateVersion({ database, clock }: ActivateVersionDeps): ActivateVersion {
  return ({ id, reason }, { caller }) =>
    database.transaction(async (em) => {
      const versions = termsVersions(em);
      const version = await versions.byId(id);
      if (version === null) throw invalidField('id', `there are no terms with the id ${id}`);
      await versions.lockType(version.type);
      // Read again: while this transaction waited for the lock, another may have activated the same version.
      await em.refresh(version);
      if (version.active) return toTermsRecord(version);
      const replaced = await versions.activeOf(version.type);
      if (replaced !== null) {
        replaced.active = false;
        // By itself, before the other: the unique index looks at every row as it is written.
        await em.flush();
      }
      version.active = true;
      version.activatedAt = clock();
      await auditChange(em, changeBy(caller, reason), { action: 'terms.activate', version, replaced });
      await em.flush();
      return toTermsRecord(version);
    });
}
