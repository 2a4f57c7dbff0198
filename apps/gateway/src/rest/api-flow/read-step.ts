import type { OperationId } from '@rubrica/contracts/rest/operations';
import type { FastifyRequest } from 'fastify';
import { createOperationBodyPlan } from '../../body/body.ts';
import { assertFaultless } from '../../fields/assert-faultless.ts';
import { type ParsedValues, parseFields, type Shape } from '../../fields/parse-fields.ts';
import type { RestDeps } from '../deps.ts';

type Deps = Pick<RestDeps, 'readJsonBody' | 'limits'>;

/**
 * Creates the reader of a step without files.
 * @throws AppError with all faults, under the code of the first
 */
export function createReadStep<S extends Shape>(deps: Deps, operation: OperationId, shape: S) {
  const plan = createOperationBodyPlan(operation, deps.limits);
  return async (request: FastifyRequest): Promise<ParsedValues<S>> => {
    const body = await deps.readJsonBody(request, plan);
    const { values, faults } = parseFields(shape, body.fields);
    assertFaultless(faults);
    return values;
  };
}
