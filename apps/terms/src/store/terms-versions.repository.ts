import type { EntityManager } from '@mikro-orm/postgresql';
import type { TermsType } from '@rubrica/contracts/shared/terms';
import { runnerOf } from '@rubrica/database';
import { TermsVersion } from './terms-version.entity.ts';

/** Where a page ended. `createdAt` alone would not do: two versions may be of the same millisecond. */
export interface TermsPosition {
  readonly createdAt: Date;
  readonly id: string;
}

/** The queries that this service asks, each by name. Give it a transaction's entity manager to write. */
export function termsVersions(em: EntityManager) {
  return {
    activeOf: (type: TermsType) => em.findOne(TermsVersion, { type, active: true }),

    byId: (id: string) => em.findOne(TermsVersion, { id }),

    /** Whether the id, or the label within its type, is taken. */
    isKnown: async ({ id, type, version }: Pick<TermsVersion, 'id' | 'type' | 'version'>) =>
      (await em.count(TermsVersion, { $or: [{ id }, { type, version }] })) > 0,

    newestFirst: (page: { type?: TermsType | undefined; after?: TermsPosition | undefined; limit: number }) =>
      em.find(
        TermsVersion,
        { ...(page.type && { type: page.type }), ...(page.after && isOlderThan(page.after)) },
        { orderBy: { createdAt: 'desc', id: 'desc' }, limit: page.limit },
      ),

    /**
     * Until the transaction ends, nobody else changes which version of the type is active. A lock on the active
     * row would not do: where there is none, or two transactions activate two others, there is nothing in common.
     */
    async lockType(type: TermsType): Promise<void> {
      await runnerOf(em).execute('select pg_advisory_xact_lock(hashtextextended($1, 0))', [
        `terms.active.${type}`,
      ]);
    },
  };
}

function isOlderThan({ createdAt, id }: TermsPosition) {
  return { $or: [{ createdAt: { $lt: createdAt } }, { createdAt, id: { $lt: id } }] };
}
