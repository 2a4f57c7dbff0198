import { z } from 'zod';
import type { OperatorProcedure } from './procedure.ts';

/**
 * Closes the inputs of all rows, nested objects included, so that they refuse unknown fields. A misspelt filter that
 * was ignored would show, or change, other records than intended.
 */
export function refuseUnknownFields<const Rows extends Readonly<Record<string, OperatorProcedure>>>(
  rows: Rows,
): Rows {
  const strict = Object.entries(rows).map(([path, row]) => [
    path,
    { ...row, input: closeObjects(row.input) },
  ]);
  return Object.fromEntries(strict) as Rows;
}

/**
 * Returns the schema with all its objects closed. A test over all rows fails if a row has an object in an unsupported
 * position.
 */
function closeObjects(schema: z.core.$ZodType): z.core.$ZodType {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case 'object': {
      const fields = Object.entries(def.shape).map(([name, field]) => [name, closeObjects(field)]);
      return copyWith(schema, { shape: Object.fromEntries(fields), catchall: z.never() });
    }
    case 'array':
      return copyWith(schema, { element: closeObjects(def.element) });
    case 'union':
      return copyWith(schema, { options: def.options.map(closeObjects) });
    case 'optional':
    case 'nullable':
    case 'default':
      return copyWith(schema, { innerType: closeObjects(def.innerType) });
    default:
      return schema;
  }
}

/** Copies a schema with changes, keeping its rules and its description. */
function copyWith(schema: z.core.$ZodType, changes: object): z.core.$ZodType {
  const copy = z.core.clone(schema, { ...schema._zod.def, ...changes });
  const described = z.globalRegistry.get(schema);
  if (described !== undefined) z.globalRegistry.add(copy, described);
  return copy;
}
