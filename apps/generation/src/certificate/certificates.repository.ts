import { type EntityManager, LockMode } from '@mikro-orm/postgresql';
import { Certificate } from './certificate.entity.ts';

/** Both must agree where both are given. */
export interface CertificateName {
  readonly id?: string | undefined;
  readonly serialNumber?: string | undefined;
}

/** The queries that this service asks about certificates, each by name. */
export function certificates(em: EntityManager) {
  return {
    /** By the id or serial number that an operator gave; finds nothing where neither is given. */
    named: async (name: CertificateName): Promise<Certificate | null> => findNamed(em, name),

    /** The same in a transaction: until its end nobody else changes it. What is done to the entity is not written. */
    lock: (name: CertificateName): Promise<Certificate | null> =>
      findNamed(em, name, { lockMode: LockMode.PESSIMISTIC_WRITE, disableIdentityMap: true }),

    derOf: async ({ id }: Certificate): Promise<Uint8Array> =>
      (await em.findOneOrFail(Certificate, { id }, { populate: ['der'], refresh: true })).der,

    ofPartner: (own: { readonly partnerId: string; readonly requestId: string; readonly serial: string }) =>
      em.findOne(Certificate, own),

    /** The live one, else the newest. */
    ofRequest: async (own: {
      readonly partnerId: string;
      readonly requestId: string;
    }): Promise<Certificate | null> => {
      const found = await em.find(Certificate, own, { orderBy: { issuedAt: 'desc', id: 'desc' } });
      return found.find(({ revokedAt }) => revokedAt === null) ?? found[0] ?? null;
    },
  };
}

async function findNamed(
  em: EntityManager,
  { id, serialNumber }: CertificateName,
  options: { readonly lockMode?: LockMode.PESSIMISTIC_WRITE; readonly disableIdentityMap?: boolean } = {},
): Promise<Certificate | null> {
  if (id === undefined && serialNumber === undefined) return null;
  const serial = serialNumber?.toUpperCase();
  return em.findOne(
    Certificate,
    { ...(id !== undefined && { id }), ...(serial !== undefined && { serial }) },
    options,
  );
}
