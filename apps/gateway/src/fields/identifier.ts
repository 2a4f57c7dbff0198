import { createText } from '@rubrica/contracts/error-texts/create-text';
import type { Family } from '@rubrica/contracts/shared/enumerations';
import type { ErrorDetail } from '@rubrica/contracts/shared/errors';
import { identifierNames, identifierShape } from '@rubrica/contracts/shared/identifiers';
import { fieldFault } from '@rubrica/process/errors';
import { assertFaultless } from './assert-faultless.ts';
import { type ParsedValues, parseFields, parseQuery, type Shape } from './parse-fields.ts';

type Names = typeof identifierNames;
interface Values {
  readonly referenceTransaction?: string;
  readonly [name: string]: unknown;
}

/** Reference to a request, as in calls to intake. */
export interface RequestReference<F extends Family> {
  readonly family: F;
  readonly requestId?: string;
  readonly referenceTransaction?: string;
}

export interface NamedRequest<F extends Family, S extends Shape> {
  readonly reference: RequestReference<F>;
  readonly values: ParsedValues<S>;
  /** Faults for intake, which adds its own and answers once. */
  readonly faults: ErrorDetail[];
}

export interface BodyShape<S extends Shape> {
  /** Fields other than the identifier. */
  readonly shape: S;
  /** Other faults of the body. */
  readonly faults?: readonly ErrorDetail[];
}

/** Creates the reader of the identifier in calls of a family. */
export function createIdentifier<F extends Family>(family: F) {
  const name = identifierNames[family];
  const shape = identifierShape<Names[F]>(name);
  return {
    shape,
    /**
     * Reads the reference from a query.
     * @throws AppError with all faults
     */
    fromQuery(query: unknown): RequestReference<F> {
      const { values, faults } = parseQuery(shape, query);
      assertFaultless([...faults, ...checkNamed(name, values, faults)]);
      return toReference(family, values);
    },
    /**
     * Reads the reference from a body.
     * @throws AppError with all faults where no request is named, because intake then cannot add its own
     */
    fromBody<S extends Shape>(
      fields: Readonly<Record<string, unknown>>,
      { shape: others, faults: more = [] }: BodyShape<S>,
    ): NamedRequest<F, S> {
      const { values, faults: found } = parseFields({ ...shape, ...others }, fields);
      const faults = [...found, ...checkNamed(name, values, found), ...more];
      const reference = toReference(family, values);
      if (!isNamed(reference)) assertFaultless(faults);
      return { reference, values: values as ParsedValues<S>, faults };
    },
    /** Formats the identifier for answers. */
    answer: (requestId: string) => ({ [name]: requestId }) as { [Name in Names[F]]: string },
  };
}

function toReference<F extends Family>(family: F, values: Values): RequestReference<F> {
  const requestId = values[identifierNames[family]] as string | undefined;
  const { referenceTransaction } = values;
  return {
    family,
    ...(requestId === undefined ? {} : { requestId }),
    ...(referenceTransaction === undefined ? {} : { referenceTransaction }),
  };
}

function isNamed(reference: RequestReference<Family>): boolean {
  return reference.requestId !== undefined || reference.referenceTransaction !== undefined;
}

/** Returns the fault of a missing identifier; an invalid one has its own fault. */
function checkNamed(name: string, values: Values, found: readonly ErrorDetail[]): ErrorDetail[] {
  const isFaulty = found.some(({ field }) => field === name || field === 'referenceTransaction');
  if (isFaulty || values[name] !== undefined || values.referenceTransaction !== undefined) return [];
  return [fieldFault('FIELD_REQUIRED', name, createText('field.orReferenceRequired'))];
}
