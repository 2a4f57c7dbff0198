import { LockMode } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import { createText } from '@rubrica/contracts/error-texts/create-text';
import type { Family } from '@rubrica/contracts/shared/enumerations';
import { statusPaths } from '@rubrica/contracts/shared/families';
import { AppError } from '@rubrica/process/errors';
import { requestNotFound } from '../../base/errors.ts';
import { type Request, RequestEntity } from './request.entity.ts';

/** Reference to one request of one partner: by id, by referenceTransaction, or by both, which must agree. */
export interface OwnRequest {
  readonly partnerId: string;
  readonly family: Family;
  readonly requestId?: string | undefined;
  readonly referenceTransaction?: string | undefined;
  /** True to find a renewal too, of any family. */
  readonly orRenewal?: true;
}

function condition({ partnerId, family, requestId, referenceTransaction, orRenewal }: OwnRequest) {
  return {
    // The query itself names the partner: another partner's record is indistinguishable from a missing one.
    partnerId,
    ...(orRenewal ? { $or: [{ family }, { renewalOfId: { $ne: null } }] } : { family }),
    ...(requestId === undefined ? {} : { id: requestId }),
    ...(referenceTransaction === undefined ? {} : { referenceTransaction }),
  };
}

/**
 * Creates the refusal of a request that is not found. A request of another family of the same partner is
 * named with the address of its status: callers mix up the families' addresses.
 */
export async function createNotFoundError(em: EntityManager, own: OwnRequest): Promise<AppError> {
  const { partnerId, requestId, referenceTransaction } = own;
  if (requestId === undefined && referenceTransaction === undefined) return requestNotFound();
  const found = await em.findOne(
    RequestEntity,
    {
      partnerId,
      ...(requestId !== undefined && { id: requestId }),
      ...(referenceTransaction !== undefined && { referenceTransaction }),
    },
    { fields: ['family'] },
  );
  if (found === null || found.family === own.family) return requestNotFound();
  const { family } = found;
  return new AppError({
    code: 'REQUEST_NOT_FOUND',
    text: createText('request.otherFamily', {
      family,
      path: statusPaths[family],
    }),
  });
}

/** @throws AppError REQUEST_NOT_FOUND, for another partner's record too */
export async function findOwn(em: EntityManager, own: OwnRequest): Promise<Request> {
  const found = await em.findOne(RequestEntity, condition(own));
  if (!found) throw await createNotFoundError(em, own);
  return found;
}

/** Finds a request by its id alone, of any family; null for another partner's too. */
export async function findOwnById(
  em: EntityManager,
  own: { readonly partnerId: string; readonly id: string },
): Promise<Request | null> {
  return em.findOne(RequestEntity, { partnerId: own.partnerId, id: own.id });
}

/**
 * Finds a request and locks it until the transaction ends: of two concurrent changes the second sees the
 * first.
 */
export async function lockOwn(em: EntityManager, own: OwnRequest): Promise<Request> {
  const found = await em.findOne(RequestEntity, condition(own), { lockMode: LockMode.PESSIMISTIC_WRITE });
  if (!found) throw await createNotFoundError(em, own);
  return found;
}

export async function lockById(em: EntityManager, id: string): Promise<Request | null> {
  return em.findOne(RequestEntity, { id }, { lockMode: LockMode.PESSIMISTIC_WRITE });
}

/** Reference to one certificate of one partner; if both names are given they must agree. */
export interface OwnCertificate {
  readonly partnerId: string;
  readonly serialNumber?: string | undefined;
  readonly referenceTransaction?: string | undefined;
}

/** Finds the request of a partner's certificate, of any family; null for another partner's too. */
export async function findOwnBySerialOrReference(
  em: EntityManager,
  { partnerId, serialNumber, referenceTransaction }: OwnCertificate,
): Promise<Request | null> {
  if (serialNumber === undefined && referenceTransaction === undefined) return null;
  return em.findOne(RequestEntity, {
    partnerId,
    ...(serialNumber !== undefined && { serialNumber: serialNumber.toUpperCase() }),
    ...(referenceTransaction !== undefined && { referenceTransaction }),
  });
}
