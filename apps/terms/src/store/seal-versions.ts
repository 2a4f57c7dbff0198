import type { Database } from '@rubrica/database/connection';
import type { RowGuard } from '@rubrica/database/guarded';
import { statement } from '@rubrica/database/statement';
import { protectVersion } from './guarded-version.ts';
import { TermsVersion } from './terms-version.entity.ts';

const lockSeal = statement<object, { readonly isSealed: boolean }>({
  name: 'begin-terms-seal',
  sql: `select sealed_at is not null as "isSealed" from terms_seal for update`,
});
const markSealed = statement<object>({
  name: 'end-terms-seal',
  sql: 'update terms_seal set sealed_at = now()',
});

/**
 * Adds MACs to the versions of the previous release, once in the life of a schema. An attacker who can write rows must
 * not get MACs for them at the next release.
 * @param owner connected as the owner of the schema
 * @returns number of sealed versions
 */
export function sealVersions(
  owner: Pick<Database, 'transaction'>,
  deps: { readonly rows: Pick<RowGuard, 'protect'> },
): Promise<number> {
  return owner.transaction(async (em) => {
    const [seal] = await lockSeal.run(em, {});
    if (seal?.isSealed !== false) return 0;
    const versions = await em.find(TermsVersion, { mac: '' });
    for (const version of versions) protectVersion(version, deps);
    await em.flush();
    await markSealed.run(em, {});
    return versions.length;
  });
}
