import { type EntityManager, LockMode } from '@mikro-orm/postgresql';
import { createText } from '@rubrica/contracts/error-texts/create-text';
import type { StatementTarget } from '@rubrica/database/statement';
import { AppError } from '@rubrica/process/errors';
import { Certificate } from './certificate.entity.ts';
import type { ProvenStatus } from './proven-status.ts';
import type { StatusProof } from './status-proof.ts';

/** Id or serial number; both must match where both are given. */
export interface CertificateName {
  readonly id?: string | undefined;
  readonly serialNumber?: string | undefined;
}

/** Certificate with its proven status. Other values of the row do not count. */
export type ProvenCertificate = Certificate & {
  /** Version of the row, which a change must still match. */
  storedVersion: number;
  /** MAC of the row, which a change must still match as well. */
  readonly storedMac: string | null;
  /** True if the owner is proven; a row without a proven owner gets no MAC. */
  readonly isOwnerProven: boolean;
  /** True if this service wrote the row last. */
  readonly isAuthentic: boolean;
};

/** Groups the queries on certificates by name. Certificates that nothing proves are not found. */
export function certificates(
  em: EntityManager,
  proof: Pick<StatusProof, 'prove' | 'isLost' | 'isIssuedOtherwise'>,
) {
  const proven = async (found: Certificate | null) =>
    (
      await withProvenStatus(found === null ? [] : [found], {
        proof,
        target: em.isInTransaction() ? em : undefined,
      })
    )[0] ?? null;
  const named = async (name: CertificateName, options?: LockOptions) => {
    const found = await proven(await findNamed(em, name, options));
    if (name.id !== undefined && found?.isAuthentic === false && (await proof.isIssuedOtherwise(found)))
      throw createTamperedError();
    if (found === null && name.id === undefined && name.serialNumber !== undefined)
      await refuseLost(proof, { serial: name.serialNumber.toUpperCase() });
    return found;
  };
  return {
    /**
     * Finds a certificate by id or serial number; null without either.
     * @throws AppError CERTIFICATE_NOT_FOUND where the audit log knows the number and no row proves it
     */
    named: (name: CertificateName) => named(name),

    /** Finds and locks a certificate until the transaction ends. Changes to the entity are not written. */
    lock: (name: CertificateName) =>
      named(name, { lockMode: LockMode.PESSIMISTIC_WRITE, disableIdentityMap: true }),

    ofPartner: async (own: {
      readonly partnerId: string;
      readonly requestId: string;
      readonly serial: string;
    }) => {
      const found = await proven(await em.findOne(Certificate, { serial: own.serial }));
      if (found !== null && found.partnerId === own.partnerId && found.requestId === own.requestId)
        return found;
      await refuseAltered(em, { own, proven });
      await refuseLost(proof, { serial: own.serial });
      return null;
    },

    /** Finds the valid certificate, otherwise the newest. */
    ofRequest: async (own: {
      readonly partnerId: string;
      readonly requestId: string;
    }): Promise<Certificate | null> => {
      const stored = await em.find(Certificate, own, { orderBy: { issuedAt: 'desc', id: 'desc' } });
      const proven = await withProvenStatus(stored, { proof, target: em.isInTransaction() ? em : undefined });
      // A row that was reassigned to the request belongs to another, by its proven owner.
      const found = proven.filter(
        ({ requestId, partnerId }) => requestId === own.requestId && partnerId === own.partnerId,
      );
      if (found.length === 0) await refuseLost(proof, { requestId: own.requestId });
      return found.find(({ revokedAt }) => revokedAt === null) ?? found[0] ?? null;
    },
  };
}

/** Replaces the status of each certificate by the proven one, and drops those that nothing proves. */
export async function withProvenStatus(
  found: readonly Certificate[],
  {
    proof,
    target,
  }: { readonly proof: Pick<StatusProof, 'prove'>; readonly target?: StatementTarget | undefined },
): Promise<ProvenCertificate[]> {
  const proven = await proof.prove(
    found.map(({ serial }) => serial),
    target,
  );
  return found.flatMap((certificate) => {
    const status = proven.get(certificate.serial);
    return status !== undefined && isSameRow(certificate, status) ? [withStatus(certificate, status)] : [];
  });
}

/** Checks that the row did not change between reading and proving, by its immutable columns. */
function isSameRow({ id, requestId, partnerId, crlShard }: Certificate, { row }: ProvenStatus): boolean {
  if (row === null) return false;
  return (
    row.id === id &&
    row.request_id === requestId &&
    row.partner_id === partnerId &&
    row.crl_shard === crlShard
  );
}

function withStatus(certificate: Certificate, status: ProvenStatus): ProvenCertificate {
  const { notAfter, revokedAt, revocationReason, heldAt, statusVersion } = status;
  const storedVersion = certificate.statusVersion;
  const issuer = status.issuer ?? certificate.issuer;
  const crlShard = status.crlShard ?? certificate.crlShard;
  const statusFields = { notAfter, revokedAt, revocationReason, heldAt, statusVersion, issuer, crlShard };
  const { partnerId, requestId } = status.owner ?? certificate;
  return Object.assign(certificate, statusFields, {
    ...{ partnerId, requestId, storedVersion },
    storedMac: status.row?.mac ?? null,
    isOwnerProven: status.owner !== undefined,
    isAuthentic: status.isAuthentic,
  });
}

/**
 * Raises an alarm for a row with an altered owner or serial number, instead of treating it as missing.
 * @throws AppError CERTIFICATE_NOT_FOUND
 */
async function refuseAltered(
  em: EntityManager,
  {
    own: { requestId, serial },
    proven,
  }: {
    readonly own: { readonly requestId: string; readonly serial: string };
    readonly proven: (found: Certificate | null) => Promise<ProvenCertificate | null>;
  },
): Promise<void> {
  const named = await em.findOne(Certificate, { $or: [{ requestId }, { serial }] });
  if (named === null) return;
  const found = await proven(named);
  if (found?.isOwnerProven) return;
  throw createTamperedError();
}

/**
 * Raises an alarm for a row whose serial number was changed, instead of treating it as missing.
 * @throws AppError CERTIFICATE_NOT_FOUND
 */
async function refuseLost(
  proof: Pick<StatusProof, 'isLost'>,
  name: Parameters<StatusProof['isLost']>[0],
): Promise<void> {
  if (await proof.isLost(name)) throw createTamperedError();
}

function createTamperedError(): AppError {
  return new AppError({
    code: 'CERTIFICATE_NOT_FOUND',
    text: createText('operator.certificateTampered'),
  });
}

interface LockOptions {
  readonly lockMode?: LockMode.PESSIMISTIC_WRITE;
  readonly disableIdentityMap?: boolean;
}

async function findNamed(
  em: EntityManager,
  { id, serialNumber }: CertificateName,
  options: LockOptions = {},
): Promise<Certificate | null> {
  if (id === undefined && serialNumber === undefined) return null;
  const serial = serialNumber?.toUpperCase();
  return em.findOne(
    Certificate,
    { ...(id !== undefined && { id }), ...(serial !== undefined && { serial }) },
    options,
  );
}
