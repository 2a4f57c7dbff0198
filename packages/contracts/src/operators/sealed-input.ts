import { z } from 'zod';
import { sealed } from '../shared/fields.ts';
import type { OperatorProcedure } from './procedure.ts';

/** Creates the input schema for the service of a procedure, with the fields that the gateway has sealed. */
export function sealedInput({ input, seals }: Pick<OperatorProcedure, 'input' | 'seals'>): z.ZodType {
  if (seals === undefined) return input;
  if (!(input instanceof z.ZodObject)) throw new Error('fields are sealed in an object alone');
  const fields: [string, z.core.$ZodType][] = Object.entries(input.shape as z.core.$ZodShape).map(
    ([name, field]) => {
      if (!(name in seals)) return [name, field];
      return [name, field instanceof z.ZodOptional ? sealed.optional() : sealed];
    },
  );
  return z.core.clone(input, { ...input._zod.def, shape: Object.fromEntries(fields) });
}
