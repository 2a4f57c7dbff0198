import type { EntityManager } from '@mikro-orm/postgresql';
import type { Database } from '@rubrica/database/connection';
import type { RowGuard } from '@rubrica/database/guarded';
import type { Clock } from '@rubrica/process/time';
import { auditChange } from '../audit/change.ts';
import { protectVersion } from '../store/guarded-version.ts';
import { TermsVersion } from '../store/terms-version.entity.ts';
import { termsVersions } from '../store/terms-versions.repository.ts';
import type { SeedTerms } from './seed-file.ts';

const change = { actor: 'service:terms-provision' };

export interface SeedTermsDeps {
  readonly database: Pick<Database, 'transaction'>;
  readonly clock: Clock;
  readonly rows: Pick<RowGuard, 'protect'>;
}

/**
 * Inserts terms whose id and label do not exist yet; existing versions stay as operators left them. A seed becomes
 * active only where its type has no active version: a restart must not undo an activation.
 * @returns number of inserted versions
 */
export async function seedTerms(
  { database, clock, rows }: SeedTermsDeps,
  seeds: readonly SeedTerms[],
): Promise<number> {
  let inserted = 0;
  for (const seed of seeds) {
    if (await database.transaction((em) => insertIfAbsent(em, seed, { at: clock(), rows }))) inserted += 1;
  }
  return inserted;
}

async function insertIfAbsent(
  em: EntityManager,
  seed: SeedTerms,
  { at, rows }: Pick<SeedTermsDeps, 'rows'> & { readonly at: Date },
): Promise<boolean> {
  const versions = termsVersions(em);
  await versions.lockType(seed.type);
  if (await versions.isKnown(seed)) return false;
  const active = seed.active && (await versions.activeOf(seed.type)) === null;
  const activatedAt = active ? at : null;
  const version = em.create(TermsVersion, { ...seed, active, createdAt: at, activatedAt });
  protectVersion(version, { rows });
  em.persist(version);
  await em.flush();
  await auditChange(em, change, { action: 'terms.createVersion', version });
  if (active) await auditChange(em, change, { action: 'terms.activate', version });
  return true;
}
