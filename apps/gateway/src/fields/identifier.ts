import type { Family } from '@rubrica/contracts/shared/enumerations';
import type { ErrorDetail } from '@rubrica/contracts/shared/errors';
import { identifierNames, identifierShape } from '@rubrica/contracts/shared/identifiers';
import { detail } from '../http/error-object.ts';

type Values = { readonly referenceTransaction?: string } & { readonly [name: string]: unknown };

/** How calls of a family name the request that they are about. */
export function identifierOf<F extends Family>(family: F) {
  const name = identifierNames[family];
  const idIn = (values: Values) => values[name] as string | undefined;
  const isGiven = (values: Values) => idIn(values) !== undefined || values.referenceTransaction !== undefined;
  return {
    shape: identifierShape<(typeof identifierNames)[F]>(name),
    isGiven,
    /** Where no identifier was given at all: one that is given but wrong has a fault of its own. */
    faults(values: Values, found: readonly ErrorDetail[]): ErrorDetail[] {
      const isFaulty = found.some(({ field }) => field === name || field === 'referenceTransaction');
      if (isGiven(values) || isFaulty) return [];
      return [detail('FIELD_REQUIRED', name, `${name} or referenceTransaction is required`)];
    },
    /** How peers call it. */
    toRequest(values: Values) {
      const [requestId, { referenceTransaction }] = [idIn(values), values];
      return {
        family,
        ...(requestId === undefined ? {} : { requestId }),
        ...(referenceTransaction === undefined ? {} : { referenceTransaction }),
      };
    },
    /** How answers call it. */
    answer: (requestId: string) =>
      ({ [name]: requestId }) as { [Name in (typeof identifierNames)[F]]: string },
  };
}
