import type { EntityManager } from '@mikro-orm/postgresql';
import { Certificate } from './certificate.entity.ts';

/** Where a page ended. `issuedAt` alone would not do: two certificates may be of the same millisecond. */
export interface CertificatePosition {
  readonly issuedAt: Date;
  readonly id: string;
}

export interface CertificatePage {
  readonly serial?: string | undefined;
  readonly requestId?: string | undefined;
  readonly after?: CertificatePosition | undefined;
  readonly limit: number;
}

/** The queries that this service asks about certificates, each by name. */
export function certificates(em: EntityManager) {
  return {
    byId: (id: string) => em.findOne(Certificate, { id }, { populate: ['der'] }),

    /** The live one, else the newest. */
    ofRequest: async (requestId: string): Promise<Certificate | null> => {
      const found = await em.find(Certificate, { requestId }, { orderBy: { issuedAt: 'desc', id: 'desc' } });
      return found.find(({ revokedAt }) => revokedAt === null) ?? found[0] ?? null;
    },

    newestFirst: ({ serial, requestId, after, limit }: CertificatePage) =>
      em.find(
        Certificate,
        { ...(serial && { serial }), ...(requestId && { requestId }), ...(after && isOlderThan(after)) },
        { orderBy: { issuedAt: 'desc', id: 'desc' }, limit },
      ),
  };
}

function isOlderThan({ issuedAt, id }: CertificatePosition) {
  return { $or: [{ issuedAt: { $lt: issuedAt } }, { issuedAt, id: { $lt: id } }] };
}
