import { type Database, type RowGuard, statement } from '@rubrica/database';
import { protectVersion } from './guarded-version.ts';
import { TermsVersion } from './terms-version.entity.ts';

const begin = statement<object, { readonly isSealed: boolean }>({
  name: 'begin-terms-seal',
  sql: `select sealed_at is not null as "isSealed" from terms_seal for update`,
});
const end = statement<object>({ name: 'end-terms-seal', sql: 'update terms_seal set sealed_at = now()' });

/**
 * Gives a MAC to the versions of the release before, once in the life of a schema. Whoever can write rows must not get a
 * MAC for them at the next release.
 * @param owner connected as the owner of the schema
 * @returns how many got one
 */
export function sealVersions(
  owner: Pick<Database, 'transaction'>,
  deps: { readonly rows: Pick<RowGuard, 'protect'> },
): Promise<number> {
  return owner.transaction(async (em) => {
    const [seal] = await begin.run(em, {});
    if (seal?.isSealed !== false) return 0;
    const versions = await em.find(TermsVersion, { mac: '' });
    for (const version of versions) protectVersion(version, deps);
    await em.flush();
    await end.run(em, {});
    return versions.length;
  });
}
