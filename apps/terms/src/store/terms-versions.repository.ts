import type { EntityManager } from '@mikro-orm/postgresql';
import { type TermsType, termsTypeSchema } from '@rubrica/contracts/shared/terms';
import { keyset, lockName } from '@rubrica/database';
import { TermsVersion } from './terms-version.entity.ts';

/** Newest version first. */
export const byCreation = keyset('createdAt');

interface TermsPage {
  readonly type?: TermsType | undefined;
  readonly cursor?: string | undefined;
  readonly limit: number;
}

/** The queries that this service asks, each by name. Give it a transaction's entity manager to write. */
export function termsVersions(em: EntityManager) {
  return {
    activeOf: (type: TermsType) => em.findOne(TermsVersion, { type, active: true }),

    ofType: (type: TermsType) => em.find(TermsVersion, { type }),

    /** Types of which nothing can be accepted. */
    async typesWithoutActive(): Promise<TermsType[]> {
      const active = await em.find(TermsVersion, { active: true }, { fields: ['type'] });
      const types = new Set<TermsType>(active.map(({ type }) => type));
      return termsTypeSchema.options.filter((type) => !types.has(type));
    },

    byId: (id: string) => em.findOne(TermsVersion, { id }),

    /** Whether the id, or the label within its type, is taken. */
    isKnown: async ({ id, type, version }: Pick<TermsVersion, 'id' | 'type' | 'version'>) =>
      (await em.count(TermsVersion, { $or: [{ id }, { type, version }] })) > 0,

    newestFirst: ({ type, cursor, limit }: TermsPage) =>
      em.find(
        TermsVersion,
        { ...(type && { type }), ...byCreation.after(cursor) },
        { orderBy: byCreation.orderBy, limit },
      ),

    /**
     * Until the transaction ends, nobody else changes which version of the type is active. A lock on the active
     * row would not do: where there is none, or two transactions activate two others, there is nothing in common.
     */
    async lockType(type: TermsType): Promise<void> {
      await lockName(em, `active ${type}`, { previous: `terms.active.${type}` });
    },
  };
}
