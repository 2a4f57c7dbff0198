import { describe, expect, it, test } from 'vitest';
import { z } from 'zod';
import { refuseUnknownFields } from './known-fields.ts';
import type { OperatorProcedure } from './procedure.ts';
import { operatorProcedures } from './procedures.ts';

const rows = Object.entries<OperatorProcedure>(operatorProcedures);

/** Places of the objects in a JSON schema that take fields which nobody has named; a map of names has a schema for them. */
function openObjects(schema: unknown, place = ''): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const { properties, additionalProperties } = schema as Record<string, unknown>;
  const isOpen = properties !== undefined && additionalProperties !== false;
  const below = Object.entries(schema).flatMap(([name, part]) => openObjects(part, `${place}/${name}`));
  return isOpen ? [place || '/', ...below] : below;
}

describe('an operators’ procedure', () => {
  it.each(rows)('takes no field that its row does not have, at any depth: %s', (_path, { input }) => {
    expect(openObjects(z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' }))).toEqual([]);
  });

  it.each(rows)('names the field that it does not know: %s', (_path, { input }) => {
    const { error } = input.safeParse({ noSuchField: 1 });
    expect(error?.issues).toContainEqual(
      expect.objectContaining({ code: 'unrecognized_keys', keys: ['noSuchField'], path: [] }),
    );
  });
});

test('what is nested is refused where it stands, and rules, defaults and descriptions stay', () => {
  const nested = z.object({ a: z.int().default(1) }).describe('inner');
  const input = z
    .object({ list: z.array(nested.nullable()).optional(), either: z.union([z.string(), nested]).optional() })
    .refine(({ list, either }) => list !== undefined || either !== undefined, 'one is needed')
    .describe('outer');
  const row = { kind: 'query', service: 'intake', role: 'viewer', output: z.any() } as const;
  const strict = refuseUnknownFields({ one: { ...row, input } }).one.input;
  expect(strict.parse({ list: [{}, null] })).toEqual({ list: [{ a: 1 }, null] });
  expect(strict.safeParse({}).error?.issues).toMatchObject([{ message: 'one is needed' }]);
  expect(strict.safeParse({ list: [{ b: 1 }] }).error?.issues).toMatchObject([
    { path: ['list', 0], keys: ['b'] },
  ]);
  expect(strict.safeParse({ either: { b: 1 } }).success).toBe(false);
  expect(strict.description).toBe('outer');
});
