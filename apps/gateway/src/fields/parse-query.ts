import { createText } from '@rubrica/contracts/error-texts/create-text';
import { fieldFault } from '@rubrica/process';
import { type ParsedFields, type ParseOptions, parseFields, type Shape } from './parse-fields.ts';

/** Parses a query string like a body. A repeated parameter is a fault, because neither value can be preferred. */
export function parseQuery<S extends Shape>(
  shape: S,
  query: unknown,
  options: ParseOptions = {},
): ParsedFields<S> {
  const source = { ...(query as Record<string, unknown>) };
  const repeated = Object.keys(shape).filter((name) => Array.isArray(source[name]));
  const singleShape = Object.fromEntries(
    Object.entries(shape).filter(([name]) => !repeated.includes(name)),
  ) as unknown as S;
  const { values, faults } = parseFields(singleShape, source, options);
  const repeatedFaults = repeated.map((name) =>
    fieldFault(options.codes?.[name] ?? 'FIELD_INVALID', name, createText('field.repeated')),
  );
  return { values, faults: [...repeatedFaults, ...faults] };
}
