import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { operatorProcedures } from './operators/procedures.ts';
import type { Operation } from './rest/operation.ts';
import { operations } from './rest/operations.ts';
import type { Call } from './services/call.ts';
import { serviceCalls } from './services/calls.ts';
import { errorDetailSchema } from './shared/errors.ts';
import { binary } from './shared/fields.ts';

const rest = Object.entries(operations as Record<string, Operation>).flatMap(([name, { body, query }]) =>
  [body, query].filter((schema) => schema !== undefined).map((schema) => [name, schema] as const),
);
const operators = Object.entries(operatorProcedures).map(([name, { input }]) => [name, input] as const);
const services = Object.entries(serviceCalls).flatMap(([service, calls]) =>
  Object.entries(calls as Record<string, Call>).map(
    ([name, { input }]) => [`${service}: ${name}`, input] as const,
  ),
);

/** Nothing of these is stored as it came: a file is decoded first, and the texts of faults are ours. */
const exempt: readonly z.core.$ZodType[] = [binary, errorDetailSchema];
// A schema with another description is another schema of the same definition.
const definitions: ReadonlySet<unknown> = new Set(exempt.map(({ _zod }) => _zod.def));

/** Every schema of a text inside another, with the way to it. */
function textsIn(schema: z.core.$ZodType, path: string): [path: string, text: z.core.$ZodType][] {
  const { def } = schema._zod as z.core.$ZodTypes['_zod'];
  if (definitions.has(def)) return [];
  switch (def.type) {
    case 'string':
      return [[path, schema]];
    case 'object':
      return Object.entries(def.shape).flatMap(([name, one]) => textsIn(one, `${path}.${name}`));
    case 'array':
      return textsIn(def.element, `${path}[]`);
    case 'record':
      return [...textsIn(def.keyType, `${path} keys`), ...textsIn(def.valueType, `${path} values`)];
    case 'union':
      return def.options.flatMap((one) => textsIn(one, path));
    case 'optional':
    case 'nullable':
    case 'default':
      return textsIn(def.innerType, path);
    case 'pipe':
      return textsIn(def.in, path);
    default:
      return [];
  }
}

/** PostgreSQL holds neither: text refuses NUL, jsonb half a surrogate pair as well. */
const unstorable = ['a\u0000b', '\u0000aaaaaaaaaaaaaaaa', 'aaaaaaaa\ud800', '\udc00aaaaaaaa'];

describe('no text that the database cannot hold is taken', () => {
  it.each([...rest, ...operators, ...services])('by %s', (name, schema) => {
    const taken = textsIn(schema, name).filter(([, text]) =>
      unstorable.some((value) => z.safeParse(text, value).success),
    );
    expect(taken.map(([path]) => path)).toEqual([]);
  });
});

/** PostgreSQL's calendar goes from 1 BC to AD 1. */
const yearZero = '0000-01-01T00:00:00Z';

describe('no instant that the database cannot hold is taken', () => {
  it.each([...rest, ...operators, ...services])('by %s', (name, schema) => {
    const taken = textsIn(schema, name).filter(
      ([, text]) =>
        (text._zod.def as z.core.$ZodStringFormatDef).format === 'datetime' &&
        z.safeParse(text, yearZero).success,
    );
    expect(taken.map(([path]) => path)).toEqual([]);
  });
});
