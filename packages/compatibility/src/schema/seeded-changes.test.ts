import { expect, it } from 'vitest';
import { z } from 'zod';
import { compareSchemas } from './compare-schemas.ts';
import type { Direction } from './difference.ts';
import type { Schema } from './json-schema.ts';

type Row = readonly [what: string, direction: Direction, before: z.ZodType, after: z.ZodType];

const text = z.string();
const ab = z.enum(['a', 'b']);
const abc = z.enum(['a', 'b', 'c']);
const openAbc = abc.meta({ 'x-extensible-enum': true });
const one = z.object({ a: text });
const two = z.object({ a: text, b: text });
const maybeTwo = z.object({ a: text, b: text.optional() });
const strictOne = z.strictObject({ a: text });
const strictTwo = z.strictObject({ a: text, b: text });
const strictMaybeTwo = z.strictObject({ a: text, b: text.optional() });
const cat = z.object({ kind: z.literal('cat'), lives: z.int() });
const dog = z.object({ kind: z.literal('dog'), tricks: z.array(text) });
const pets = z.discriminatedUnion('kind', [cat, dog]);

function tree(label: z.ZodType, id: string): z.ZodType {
  const node: z.ZodType = z
    .object({
      label,
      get below() {
        return z.array(node);
      },
    })
    .meta({ id });
  return node;
}

const kept: readonly Row[] = [
  ['nothing changes in a request', 'request', pets, pets],
  ['nothing changes in an answer', 'answer', pets, pets],
  ['a request gains a field that may be left out', 'request', one, maybeTwo],
  ['a strict request gains a field that may be left out', 'request', strictOne, strictMaybeTwo],
  ['a request no longer needs a field', 'request', two, maybeTwo],
  ['a request takes one value more', 'request', ab, abc],
  ['a request takes any text where it took some', 'request', ab, text],
  ['a request takes null too', 'request', text, text.nullable()],
  ['a request takes longer texts', 'request', text.max(5), text.max(6)],
  ['a request takes shorter texts', 'request', text.min(5), text.min(4)],
  ['a request no longer matches a pattern', 'request', text.regex(/^a/), text],
  ['a request takes larger numbers', 'request', z.number().max(5), z.number().max(6)],
  ['a request takes the bound itself', 'request', z.number().gt(5), z.number().min(5)],
  ['a request takes any number where it took whole ones', 'request', z.int(), z.number()],
  ['a request takes multiples of less', 'request', z.int().multipleOf(6), z.int().multipleOf(3)],
  ['a request takes longer lists', 'request', z.array(text).max(2), z.array(text).max(3)],
  [
    'a request takes one kind more',
    'request',
    z.union([text, z.int()]),
    z.union([text, z.int(), z.boolean()]),
  ],
  ['a request opens', 'request', strictOne, one],
  ['a request takes anything', 'request', text, z.unknown()],
  [
    'a field of a request has a default that was none',
    'request',
    maybeTwo,
    z.object({ a: text, b: text.default('x') }),
  ],
  [
    'a request takes a tuple with an end that may be left out',
    'request',
    z.tuple([text]),
    z.tuple([text, text.optional()]),
  ],
  ['a literal of a request becomes one of several', 'request', z.literal('a'), ab],
  [
    'a list of fields by name takes wider values',
    'request',
    z.record(text, z.int()),
    z.record(text, z.number()),
  ],
  ['an answer gains a field, which open readers ignore', 'answer', one, two],
  ['an answer gives one value more of a list that is open', 'answer', ab, openAbc],
  ['an answer always says what it said at times', 'answer', maybeTwo, two],
  ['an answer has one value less', 'answer', abc, ab],
  ['an answer is never null any more', 'answer', text.nullable(), text],
  ['an answer has shorter texts', 'answer', text.max(6), text.max(5)],
  ['an answer has whole numbers where it had any', 'answer', z.number(), z.int()],
  ['an answer has one kind less', 'answer', pets, cat],
  [
    'a union of an answer is written in another order',
    'answer',
    z.union([text, z.int()]),
    z.union([z.int(), text]),
  ],
  [
    'a schema that holds itself stays as it is under another name',
    'answer',
    tree(text, 'Tree'),
    tree(text, 'Node'),
  ],
];

const broken: readonly Row[] = [
  ['a request needs a field more', 'request', one, two],
  ['a request needs a field that could be left out', 'request', maybeTwo, two],
  ['a request no longer reads a field', 'request', two, one],
  ['a strict request loses a field', 'request', strictTwo, strictOne],
  ['a request closes', 'request', one, strictOne],
  ['a request takes one value less', 'request', abc, ab],
  ['a request takes some texts where it took any', 'request', text, ab],
  ['a request no longer takes null', 'request', text.nullable(), text],
  ['a request takes shorter texts only', 'request', text.max(6), text.max(5)],
  ['a request takes longer texts only', 'request', text, text.min(1)],
  ['a request has a pattern that was none', 'request', text, text.regex(/^a/)],
  [
    'a request has another pattern, which nobody can judge',
    'request',
    text.regex(/^a/),
    text.regex(/^(a|b)/),
  ],
  ['a request has another format', 'request', z.email(), z.uuid()],
  ['a request takes smaller numbers only', 'request', z.number().max(6), z.number().max(5)],
  ['a request no longer takes the bound itself', 'request', z.number().min(5), z.number().gt(5)],
  ['a request takes whole numbers only', 'request', z.number(), z.int()],
  ['a request takes a number where it took a text', 'request', text, z.number()],
  ['a request takes shorter lists only', 'request', z.array(text).max(3), z.array(text).max(2)],
  ['a request wants something in a list', 'request', z.array(text), z.array(text).min(1)],
  ['a request takes one kind less', 'request', pets, cat],
  [
    'a request reads another default',
    'request',
    z.object({ a: text.default('x') }),
    z.object({ a: text.default('y') }),
  ],
  [
    'a request narrows deep inside',
    'request',
    z.array(z.object({ in: z.record(text, abc) })),
    z.array(z.object({ in: z.record(text, ab) })),
  ],
  ['a request narrows inside of itself', 'request', tree(text, 'Tree'), tree(text.max(9), 'Tree')],
  ['an answer loses a field', 'answer', two, one],
  ['an answer loses a field that was there at times', 'answer', maybeTwo, one],
  ['an answer leaves out at times what it always said', 'answer', two, maybeTwo],
  ['an answer gains a field, and its readers are strict', 'answer', strictOne, strictTwo],
  ['an answer has one value more', 'answer', ab, abc],
  ['an answer may be null', 'answer', text, text.nullable()],
  ['an answer has longer texts', 'answer', text.max(5), text.max(6)],
  ['an answer has fractions', 'answer', z.int(), z.number()],
  ['an answer has one kind more', 'answer', cat, pets],
  ['an answer is a list where it was one', 'answer', text, z.array(text)],
  ['an answer says anything', 'answer', text, z.unknown()],
  ['a tuple of an answer has one place more', 'answer', z.tuple([text]), z.tuple([text, text])],
  [
    'a list of fields by name has other names',
    'answer',
    z.partialRecord(ab, text),
    z.partialRecord(abc, text),
  ],
];

function differences([, direction, before, after]: Row): string[] {
  const [old, now] = [before, after].map((one) =>
    z.toJSONSchema(one, { io: 'input', unrepresentable: 'any' }),
  );
  return compareSchemas({ before: old as Schema, after: now as Schema, direction }).map(
    ({ at, text }) => `${at} ${text}`,
  );
}

it.each(kept.map((row) => [row[0], row] as const))('kept: %s', (_, row) => {
  expect(differences(row)).toEqual([]);
});

it.each(broken.map((row) => [row[0], row] as const))('broken: %s', (_, row) => {
  expect(differences(row)).not.toEqual([]);
});

it('a keyword that the rules do not know is a difference, unless both have it alike', () => {
  const odd = { type: 'object', minProperties: 1 } as Schema;
  expect(compareSchemas({ before: odd, after: odd, direction: 'request' })).toEqual([]);
  expect(compareSchemas({ before: { type: 'object' }, after: odd, direction: 'request' })).toEqual([
    { at: '', text: 'cannot be told, for minProperties' },
  ]);
});

it('what differs is told by its place', () => {
  const row: Row = ['', 'request', z.object({ in: z.array(one) }), z.object({ in: z.array(two) })];
  expect(differences(row)).toEqual(['/in/[]/b may be missing, and is required']);
});
