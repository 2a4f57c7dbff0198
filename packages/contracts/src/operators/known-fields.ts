import { z } from 'zod';
import type { OperatorProcedure } from './procedure.ts';

/**
 * The rows with inputs that refuse fields they do not have, nested objects included: a filter that is misspelt and
 * ignored would show, or change, what nobody asked for.
 */
export function refuseUnknownFields<const Rows extends Readonly<Record<string, OperatorProcedure>>>(
  rows: Rows,
): Rows {
  const strict = Object.entries(rows).map(([path, row]) => [path, { ...row, input: knownFields(row.input) }]);
  return Object.fromEntries(strict) as Rows;
}

/** The same schema with all objects in it closed. The test over all rows fails where a row holds one elsewhere. */
function knownFields(schema: z.core.$ZodType): z.core.$ZodType {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case 'object': {
      const fields = Object.entries(def.shape).map(([name, field]) => [name, knownFields(field)]);
      return copyWith(schema, { shape: Object.fromEntries(fields), catchall: z.never() });
    }
    case 'array':
      return copyWith(schema, { element: knownFields(def.element) });
    case 'union':
      return copyWith(schema, { options: def.options.map(knownFields) });
    case 'optional':
    case 'nullable':
    case 'default':
      return copyWith(schema, { innerType: knownFields(def.innerType) });
    default:
      return schema;
  }
}

/** Keeps the rules and the description of the whole. */
function copyWith(schema: z.core.$ZodType, changed: object): z.core.$ZodType {
  const copy = z.core.clone(schema, { ...schema._zod.def, ...changed });
  const described = z.globalRegistry.get(schema);
  if (described !== undefined) z.globalRegistry.add(copy, described);
  return copy;
}
