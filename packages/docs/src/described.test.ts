import { buildDocument } from '@rubrica/openapi/build-document';
import { fieldMeanings } from '@rubrica/openapi/field-meanings';
import { expect, test } from 'vitest';
import { spanishHeaders, spanishOperations, spanishTags } from './content/spanish-operations.ts';
import { groupRoutes, type OpenApiDocument, type Schema } from './openapi-document.ts';

const document = buildDocument({
  baseUrl: 'http://gateway.test',
  version: '1',
  sandbox: true,
}) as unknown as OpenApiDocument;
const groups = groupRoutes(document);
const operations = groups.flatMap(({ routes }) => routes.map(({ operation }) => operation));

interface Found {
  readonly names: readonly string[];
  readonly schema: Schema;
}

/** Every field of a schema, and of the objects within it, by the names under which the table may have it. */
function listFields(schema: Schema, owner: string): Found[] {
  const own = Object.entries(schema.properties ?? {}).flatMap(([name, child]): Found[] => [
    { names: [`${owner}.${name}`, name], schema: child },
    ...listFields(child, name),
  ]);
  const inner = [schema.items, ...(schema.anyOf ?? []), ...(schema.oneOf ?? [])];
  return [...own, ...inner.flatMap((one) => (one === undefined ? [] : listFields(one, owner)))];
}

const bodies = operations.flatMap(({ operationId, requestBody, responses }) =>
  [requestBody?.content, responses['200']?.content].flatMap((content) =>
    Object.values(content ?? {}).flatMap(({ schema }) => listFields(schema, operationId)),
  ),
);
const parameters = operations.flatMap(({ operationId, parameters: list = [] }) =>
  list
    .filter((one) => one.in !== 'header')
    .map(({ name, schema, description }): Found => {
      const described = description === undefined ? schema : { ...schema, description };
      return { names: [`${operationId}.${name}`, name], schema: described };
    }),
);
const components = Object.entries(document.components.schemas).flatMap(([name, schema]) =>
  listFields(schema as Schema, name),
);
const fields = [...components, ...bodies, ...parameters];

const saysSomething = ({ description, anyOf = [] }: Schema) =>
  description !== undefined || anyOf.some((one) => one.description !== undefined);

test('every field says in English what it means', () => {
  const silent = fields.filter(({ schema }) => !saysSomething(schema)).map(({ names }) => names[0]);
  expect([...new Set(silent)]).toEqual([]);
});

test('every field has its meaning in Spanish', () => {
  const missing = fields.filter(({ names }) => !names.some((name) => name in fieldMeanings));
  expect([...new Set(missing.map(({ names }) => names[0]))]).toEqual([]);
});

test('every row of the meanings is that of a field', () => {
  const known = new Set(fields.flatMap(({ names }) => names));
  expect(Object.keys(fieldMeanings).filter((name) => !known.has(name))).toEqual([]);
});

test('every operation, header and group has its texts in Spanish', () => {
  const ids = operations.map(({ operationId }) => operationId);
  expect(Object.keys(spanishOperations).toSorted()).toEqual(ids.toSorted());
  expect(Object.keys(spanishHeaders)).toEqual(Object.keys(document.components.headers));
  expect(Object.keys(spanishTags).toSorted()).toEqual(groups.map(({ name }) => name).toSorted());
});
