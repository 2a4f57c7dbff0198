import { expect, it } from 'vitest';
import { circlesOf } from './circles.ts';
import { readImports } from './read-imports.ts';

const source = `
import 'reflect-metadata';
import type { Clock } from '@rubrica/process';
import fastify, { type FastifyInstance as Server } from 'fastify';
import * as fields from '@rubrica/contracts/shared/fields';
import {
  first,
  second as other,
} from './rows.ts';
export { third } from './third.ts';
const late = await import('./late.ts');
const file = new URL('worker.ts', import.meta.url);
const text = \`
import { nothing } from './template.ts';
\`;
// await import('./comment.ts');
`;

it('the reader sees every import of a file, and what it takes from there', () => {
  const read = readImports(source).map(
    ({ specifier, names, typeOnly }) => `${specifier} ${names.join(' ')}${typeOnly ? ' (type)' : ''}`,
  );
  expect(read).toEqual([
    'reflect-metadata ',
    '@rubrica/process Clock (type)',
    'fastify FastifyInstance default',
    '@rubrica/contracts/shared/fields ',
    './rows.ts first second',
    './third.ts third',
    './late.ts *',
    './worker.ts *',
  ]);
});

it('a circle is found however long it is, and a chain is none', () => {
  const graph = new Map([
    ['a', new Set(['b'])],
    ['b', new Set(['c', 'd'])],
    ['c', new Set(['a'])],
    ['d', new Set<string>()],
  ]);
  expect(circlesOf(graph)).toEqual([['a', 'b', 'c']]);
});
