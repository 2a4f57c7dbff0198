/**
 * Data of the contracts for the pages, without the schemas: each export is evaluated when the pages are built, and only
 * its value is included. A file that ends with `.data.ts` may import anything that Node can.
 */

import type { OperatorProcedure } from '@rubrica/contracts/operators/procedure';
import { type OperatorPath, operatorProcedures } from '@rubrica/contracts/operators/procedures';
import * as enumerations from '@rubrica/contracts/shared/enumerations';
import { type ErrorCode, errorCatalogue } from '@rubrica/contracts/shared/errors';

function mapRows<Key extends string, Row, Value>(
  table: Readonly<Record<Key, Row>>,
  pick: (row: Row) => Value,
) {
  return Object.fromEntries(Object.entries<Row>(table).map(([key, row]) => [key, pick(row)])) as Record<
    Key,
    Value
  >;
}

/** Minimum role, allowed sessions and kind of each procedure. */
export const procedures: Readonly<
  Record<OperatorPath, Pick<OperatorProcedure, 'role' | 'kind' | 'sessions'>>
> = mapRows(
  operatorProcedures as Readonly<Record<OperatorPath, OperatorProcedure>>,
  ({ role, kind, sessions }) => ({ role, kind, ...(sessions === undefined ? {} : { sessions }) }),
);

export const errorTexts: Readonly<Record<ErrorCode, { readonly en: string; readonly es: string }>> = mapRows(
  errorCatalogue,
  ({ en, es }) => ({ en, es }),
);

export const statuses: readonly string[] = enumerations.statusSchema.options;
export const validationStatuses: readonly string[] = enumerations.validationStatusSchema.options;
export const families: readonly string[] = enumerations.familySchema.options;
export const waitingPolicies: readonly string[] =
  operatorProcedures['reviews.queue'].input.shape.reviewPolicy.unwrap().options;

const { codes: rejections } = operatorProcedures['reviews.reject'].input.shape;
const { codes: corrections, fields } = operatorProcedures['reviews.requestCorrection'].input.shape;
export const rejectionCodes = rejections.element.options;
export const correctionCodes = corrections.element.options;
export const correctionFields = fields.unwrap().element.options;
