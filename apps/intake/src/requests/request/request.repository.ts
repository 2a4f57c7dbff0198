import { LockMode } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import { createText } from '@rubrica/contracts/error-texts/create-text';
import type { Family } from '@rubrica/contracts/shared/enumerations';
import { statusPaths } from '@rubrica/contracts/shared/families';
import { AppError } from '@rubrica/process';
import { requestNotFound } from '../../base/errors.ts';
import { type Request, RequestEntity } from './request.entity.ts';

/** Names one request of one partner: by id, by referenceTransaction, or by both, which must agree. */
export interface OwnRequest {
  readonly partnerId: string;
  readonly family: Family;
  readonly requestId?: string | undefined;
  readonly referenceTransaction?: string | undefined;
  /** A renewal too, of whichever family. */
  readonly orRenewal?: true;
}

function condition({ partnerId, family, requestId, referenceTransaction, orRenewal }: OwnRequest) {
  return {
    // The partner stands in the query itself: another partner's record cannot be told from none.
    partnerId,
    ...(orRenewal ? { $or: [{ family }, { renewalOfId: { $ne: null } }] } : { family }),
    ...(requestId === undefined ? {} : { id: requestId }),
    ...(referenceTransaction === undefined ? {} : { referenceTransaction }),
  };
}

/**
 * Refusal of a request that is not found. One of another family of the same partner is named with the address of its
 * status: callers mix up the families' addresses.
 */
export async function refuseUnknown(em: EntityManager, own: OwnRequest): Promise<AppError> {
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
  if (!found) throw await refuseUnknown(em, own);
  return found;
}

/** By its id alone, of whichever family; null for another partner's too. */
export async function findOwnById(
  em: EntityManager,
  own: { readonly partnerId: string; readonly id: string },
): Promise<Request | null> {
  return em.findOne(RequestEntity, { partnerId: own.partnerId, id: own.id });
}

/** The same, locked until the transaction ends: of two changes at once the second sees what the first did. */
export async function lockOwn(em: EntityManager, own: OwnRequest): Promise<Request> {
  const found = await em.findOne(RequestEntity, condition(own), { lockMode: LockMode.PESSIMISTIC_WRITE });
  if (!found) throw await refuseUnknown(em, own);
  return found;
}

export async function lockById(em: EntityManager, id: string): Promise<Request | null> {
  return em.findOne(RequestEntity, { id }, { lockMode: LockMode.PESSIMISTIC_WRITE });
}

/** Names one certificate of one partner; both names must agree where both are given. */
export interface OwnCertificate {
  readonly partnerId: string;
  readonly serialNumber?: string | undefined;
  readonly referenceTransaction?: string | undefined;
}

/** The request that a partner's certificate was made for, of whichever family; null for another partner's too. */
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
