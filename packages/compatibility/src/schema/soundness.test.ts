import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { compareSchemas } from './compare-schemas.ts';
import type { Schema } from './json-schema.ts';

interface Field {
  readonly shape: Shape;
  readonly optional: boolean;
}

type Alphabet = 'any' | 'letters' | 'digits';

/** What schemas and their values are made from. */
type Shape =
  | { readonly kind: 'text'; readonly alphabet: Alphabet; readonly min: number; readonly max: number }
  | { readonly kind: 'number'; readonly whole: boolean; readonly min: number; readonly max: number }
  | { readonly kind: 'choice'; readonly values: readonly string[] }
  | { readonly kind: 'flag' | 'null' | 'anything' }
  | { readonly kind: 'list'; readonly of: Shape; readonly min: number; readonly max: number }
  | { readonly kind: 'tuple' | 'either'; readonly of: readonly Shape[] }
  | { readonly kind: 'record'; readonly of: Shape }
  | { readonly kind: 'object'; readonly strict: boolean; readonly fields: Readonly<Record<string, Field>> };

const names = ['a', 'b', 'c', 'd'];
const patterns = { any: undefined, letters: /^[a-z]*$/, digits: /^[0-9]*$/ } as const;
const units = {
  any: fc.string({ unit: 'grapheme-ascii', maxLength: 1, minLength: 1 }),
  letters: fc.constantFrom('a', 'j', 'z'),
  digits: fc.constantFrom('0', '5', '9'),
} as const;

function range(most: number): fc.Arbitrary<{ min: number; max: number }> {
  return fc.tuple(fc.nat(most), fc.nat(most)).map(([a, b]) => ({ min: Math.min(a, b), max: Math.max(a, b) }));
}

const { shape: shapes } = fc.letrec<{ shape: Shape; leaf: Shape; field: Field }>((tie) => ({
  leaf: fc.oneof(
    fc
      .tuple(fc.constantFrom<Alphabet[]>('any', 'letters', 'digits'), range(4))
      .map(([alphabet, limits]): Shape => ({ kind: 'text', alphabet, ...limits })),
    fc.tuple(fc.boolean(), range(4)).map(([whole, limits]): Shape => ({ kind: 'number', whole, ...limits })),
    fc.subarray(['a', 'b', 'c', '5'], { minLength: 1 }).map((values): Shape => ({ kind: 'choice', values })),
    fc
      .constantFrom<Shape['kind'] & ('flag' | 'null' | 'anything')>('flag', 'null', 'anything')
      .map((kind) => ({ kind })),
  ),
  field: fc.record({ shape: tie('shape'), optional: fc.boolean() }),
  shape: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    tie('leaf'),
    fc.tuple(tie('shape'), range(3)).map(([of, limits]): Shape => ({ kind: 'list', of, ...limits })),
    fc
      .tuple(
        fc.constantFrom<('tuple' | 'either')[]>('tuple', 'either'),
        fc.array(tie('shape'), { minLength: 2, maxLength: 3 }),
      )
      .map(([kind, of]): Shape => ({ kind, of })),
    tie('shape').map((of): Shape => ({ kind: 'record', of })),
    fc
      .tuple(
        fc.boolean(),
        fc.dictionary(fc.constantFrom(...names), tie('field'), { maxKeys: 4, noNullPrototype: true }),
      )
      .map(([strict, fields]): Shape => ({ kind: 'object', strict, fields })),
  ),
}));

function schemaOf(shape: Shape): z.ZodType {
  switch (shape.kind) {
    case 'text': {
      const text = z.string().min(shape.min).max(shape.max);
      const pattern = patterns[shape.alphabet];
      return pattern ? text.regex(pattern) : text;
    }
    case 'number':
      return (shape.whole ? z.int() : z.number()).min(shape.min).max(shape.max);
    case 'choice':
      return z.enum([...shape.values]);
    case 'flag':
      return z.boolean();
    case 'null':
      return z.null();
    case 'anything':
      return z.unknown();
    case 'list':
      return z.array(schemaOf(shape.of)).min(shape.min).max(shape.max);
    case 'tuple':
      return z.tuple(shape.of.map(schemaOf) as [z.ZodType, ...z.ZodType[]]);
    case 'either':
      return z.union(shape.of.map(schemaOf));
    case 'record':
      return z.record(z.string(), schemaOf(shape.of));
    case 'object': {
      const fields = Object.entries(shape.fields).map(([name, { shape: of, optional }]) => {
        const field = schemaOf(of);
        return [name, optional ? field.optional() : field] as const;
      });
      return (shape.strict ? z.strictObject : z.object)(Object.fromEntries(fields));
    }
  }
}

/** As a sender makes them: what is declared, and nothing else. */
function valuesOf(shape: Shape): fc.Arbitrary<unknown> {
  switch (shape.kind) {
    case 'text':
      return fc
        .array(units[shape.alphabet], { minLength: shape.min, maxLength: shape.max })
        .map((letters) => letters.join(''));
    case 'number':
      return shape.whole ? fc.integer(shape) : fc.double({ ...shape, noNaN: true });
    case 'choice':
      return fc.constantFrom(...shape.values);
    case 'flag':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'anything':
      return fc.jsonValue();
    case 'list':
      return fc.array(valuesOf(shape.of), { minLength: shape.min, maxLength: shape.max });
    case 'tuple':
      return fc.tuple(...shape.of.map(valuesOf));
    case 'either':
      return fc.oneof(...shape.of.map(valuesOf));
    case 'record':
      return fc.dictionary(fc.constantFrom(...names, 'other'), valuesOf(shape.of), {
        maxKeys: 3,
        noNullPrototype: true,
      });
    case 'object': {
      const fields = Object.entries(shape.fields);
      const required = fields.filter(([, { optional }]) => !optional).map(([name]) => name);
      return fc.record(Object.fromEntries(fields.map(([name, { shape: of }]) => [name, valuesOf(of)])), {
        requiredKeys: required,
        noNullPrototype: true,
      });
    }
  }
}

/** One step to another shape, somewhere in it. */
function changed(shape: Shape): fc.Arbitrary<Shape> {
  return fc.oneof({ weight: 1, arbitrary: shapes }, { weight: 9, arbitrary: changedInPlace(shape) });
}

function changedInPlace(shape: Shape): fc.Arbitrary<Shape> {
  const wrapped = fc.constant<Shape>({ kind: 'either', of: [shape, { kind: 'null' }] });
  switch (shape.kind) {
    case 'text':
    case 'number':
      return fc.oneof(
        wrapped,
        range(4).map((limits): Shape => ({ ...shape, ...limits })),
        fc.constant<Shape>(
          shape.kind === 'text' ? { ...shape, alphabet: 'any' } : { ...shape, whole: !shape.whole },
        ),
      );
    case 'choice':
      return fc.oneof(
        wrapped,
        fc
          .subarray(['a', 'b', 'c', '5', 'e'], { minLength: 1 })
          .map((values): Shape => ({ ...shape, values })),
        fc.constant<Shape>({ kind: 'text', alphabet: 'letters', min: 0, max: 3 }),
      );
    case 'list':
      return fc.oneof(
        range(3).map((limits): Shape => ({ ...shape, ...limits })),
        changed(shape.of).map((of): Shape => ({ ...shape, of })),
        fc.constant<Shape>({ kind: 'tuple', of: [shape.of, shape.of] }),
      );
    case 'tuple':
    case 'either':
      return fc.oneof(
        fc
          .tuple(changed(shape.of[0] as Shape), fc.constant(shape.of.slice(1)))
          .map(([of, rest]): Shape => ({ ...shape, of: [of, ...rest] })),
        shapes.map((of): Shape => ({ ...shape, of: [...shape.of, of] })),
        fc.constant<Shape>({ ...shape, of: shape.of.slice(0, -1) }),
        fc.constant<Shape>({ ...shape, of: shape.of.toReversed() }),
      );
    case 'record':
      return changed(shape.of).map((of) => ({ ...shape, of }));
    case 'object':
      return changedObject(shape);
    default:
      return wrapped;
  }
}

function changedObject(shape: Extract<Shape, { kind: 'object' }>): fc.Arbitrary<Shape> {
  const entries = Object.entries(shape.fields);
  const others: fc.Arbitrary<Shape>[] = entries.flatMap(([name, field]) => {
    const { [name]: _, ...rest } = shape.fields;
    const withField = (one: Field): Shape => ({ ...shape, fields: { ...rest, [name]: one } });
    return [
      fc.constant<Shape>({ ...shape, fields: rest }),
      fc.constant(withField({ ...field, optional: !field.optional })),
      changed(field.shape).map((of) => withField({ ...field, shape: of })),
    ];
  });
  return fc.oneof(
    ...others,
    fc.constant<Shape>({ ...shape, strict: !shape.strict }),
    fc.tuple(fc.constantFrom(...names), shapes, fc.boolean()).map(([name, of, optional]): Shape => {
      return { ...shape, fields: { ...shape.fields, [name]: { shape: of, optional } } };
    }),
  );
}

const changes = shapes.chain((before) => fc.record({ before: fc.constant(before), after: changed(before) }));

function described(shape: Shape): Schema {
  return z.toJSONSchema(schemaOf(shape), { io: 'input', unrepresentable: 'any' }) as Schema;
}

it.each(['request', 'answer'] as const)(
  'whatever is called kept, the reader takes every value of the sender: %s',
  (direction) => {
    let told = 0;
    fc.assert(
      fc.property(changes, fc.gen(), ({ before, after }, generate) => {
        const found = compareSchemas({ before: described(before), after: described(after), direction });
        if (found.length > 0) return;
        if (!isDeepStrictEqual(before, after)) told += 1;
        const [sender, reader] = direction === 'request' ? [before, after] : [after, before];
        for (let round = 0; round < 5; round += 1) {
          const value = generate(valuesOf, sender);
          expect(schemaOf(reader).safeParse(value), JSON.stringify(value)).toMatchObject({ success: true });
        }
      }),
      { numRuns: 500 },
    );
    expect(told).toBeGreaterThan(50);
  },
);

it('what did not change is kept, whatever it is', () => {
  fc.assert(
    fc.property(shapes, fc.constantFrom('request' as const, 'answer' as const), (shape, direction) => {
      expect(compareSchemas({ before: described(shape), after: described(shape), direction })).toEqual([]);
    }),
    { numRuns: 200 },
  );
});
