import type { EntityManager } from '@mikro-orm/postgresql';
import { type TermsType, termsTypeSchema } from '@rubrica/contracts/shared/terms';
import { createKeyset } from '@rubrica/database/keyset';
import { lockName } from '@rubrica/database/lock';
import { TermsVersion } from './terms-version.entity.ts';

/** Sort order: newest version first. */
export const byCreation = createKeyset('createdAt');

interface TermsPage {
  readonly type?: TermsType | undefined;
  readonly cursor?: string | undefined;
  readonly limit: number;
}

/** Groups the queries on versions by name. Pass the entity manager of a transaction to write. */
export function termsVersions(em: EntityManager) {
  return {
    activeOf: (type: TermsType) => em.findOne(TermsVersion, { type, active: true }),

    ofType: (type: TermsType) => em.find(TermsVersion, { type }),

    /** Lists the types without active terms. */
    async typesWithoutActive(): Promise<TermsType[]> {
      const active = await em.find(TermsVersion, { active: true }, { fields: ['type'] });
      const types = new Set<TermsType>(active.map(({ type }) => type));
      return termsTypeSchema.options.filter((type) => !types.has(type));
    },

    byId: (id: string) => em.findOne(TermsVersion, { id }),

    /** Returns whether the id, or the label within its type, exists. */
    isKnown: async ({ id, type, version }: Pick<TermsVersion, 'id' | 'type' | 'version'>) =>
      (await em.count(TermsVersion, { $or: [{ id }, { type, version }] })) > 0,

    newestFirst: ({ type, cursor, limit }: TermsPage) =>
      em.find(
        TermsVersion,
        { ...(type && { type }), ...byCreation.after(cursor) },
        { orderBy: byCreation.orderBy, limit },
      ),

    /**
     * Locks the active version of a type until the transaction ends. A lock on the active row is not enough: there may
     * be none, or two transactions may activate different versions.
     */
    async lockType(type: TermsType): Promise<void> {
      await lockName(em, `active ${type}`, { previous: `terms.active.${type}` });
    },
  };
}
