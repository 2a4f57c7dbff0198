import type { ErrorDetail } from '@rubrica/contracts';
import { detail } from '../http/error-object.ts';

export interface Identifier {
  linkedPartnerRequestId?: string;
  referenceTransaction?: string;
}

/** How peers call it. */
export function toRequestIdentifier({ linkedPartnerRequestId, referenceTransaction }: Identifier) {
  return {
    family: 'TV' as const,
    ...(linkedPartnerRequestId === undefined ? {} : { requestId: linkedPartnerRequestId }),
    ...(referenceTransaction === undefined ? {} : { referenceTransaction }),
  };
}

export function namesRequest(values: Identifier): boolean {
  return values.linkedPartnerRequestId !== undefined || values.referenceTransaction !== undefined;
}

/** Where no identifier was given at all: one that is given but wrong has a fault of its own. */
export function identifierFaults(values: Identifier, faults: readonly ErrorDetail[]): ErrorDetail[] {
  const isNamed = faults.some(
    ({ field }) => field === 'linkedPartnerRequestId' || field === 'referenceTransaction',
  );
  if (namesRequest(values) || isNamed) return [];
  return [
    detail(
      'FIELD_REQUIRED',
      'linkedPartnerRequestId',
      'linkedPartnerRequestId or referenceTransaction is required',
    ),
  ];
}
