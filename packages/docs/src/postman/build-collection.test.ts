import { buildDocument } from '@rubrica/openapi/build-document';
import { expect, test } from 'vitest';
import { z } from 'zod';
import type { OpenApiDocument } from '../openapi-document.ts';
import { buildCollection } from './build-collection.ts';

const document = buildDocument({ baseUrl: 'https://rubrica.example.com', version: '1.0.0' });
const collection = JSON.parse(JSON.stringify(buildCollection(document as unknown as OpenApiDocument)));

/**
 * What Collection Format 2.1.0 asks of the members that we use
 * (https://schema.getpostman.com/json/collection/v2.1.0/docs/index.html); closed, so that a misspelt one is found.
 */
const attribute = z.strictObject({ key: z.string(), value: z.string(), type: z.literal('string') });
const auth = z.union([
  z.strictObject({ type: z.literal('noauth') }),
  z.strictObject({ type: z.literal('basic'), basic: z.array(attribute) }),
  z.strictObject({ type: z.literal('oauth2'), oauth2: z.array(attribute) }),
]);
const event = z.strictObject({
  listen: z.enum(['prerequest', 'test']),
  script: z.strictObject({ type: z.literal('text/javascript'), exec: z.array(z.string()) }),
});
const pair = z.strictObject({ key: z.string(), value: z.string() });
const described = pair.extend({ description: z.string().optional(), disabled: z.boolean().optional() });
const body = z.union([
  z.strictObject({
    mode: z.literal('raw'),
    raw: z.string(),
    options: z.strictObject({ raw: z.strictObject({ language: z.literal('json') }) }),
  }),
  z.strictObject({ mode: z.literal('urlencoded'), urlencoded: z.array(pair) }),
  z.strictObject({ mode: z.literal('file'), file: z.strictObject({}) }),
]);
const request = z.strictObject({
  method: z.string(),
  description: z.string().optional(),
  auth: auth.optional(),
  header: z.array(pair),
  body: body.optional(),
  url: z.strictObject({
    raw: z.string(),
    host: z.array(z.string()),
    path: z.array(z.string()),
    query: z.array(described).optional(),
    variable: z.array(described).optional(),
  }),
});
const item = z.strictObject({
  name: z.string(),
  event: z.array(event).optional(),
  request,
  response: z.array(
    z.strictObject({
      name: z.string(),
      originalRequest: request,
      status: z.string(),
      code: z.int(),
      _postman_previewlanguage: z.literal('json'),
      header: z.array(pair),
      body: z.string(),
    }),
  ),
});
const format = z.strictObject({
  info: z.strictObject({
    name: z.string(),
    description: z.string(),
    version: z.string(),
    schema: z.literal('https://schema.getpostman.com/json/collection/v2.1.0/collection.json'),
  }),
  auth,
  event: z.array(event),
  variable: z.array(attribute),
  item: z.array(
    z.strictObject({ name: z.string(), description: z.string().optional(), item: z.array(item).min(1) }),
  ),
});
type Item = z.infer<typeof item>;

const items: Item[] = format.parse(collection).item.flatMap((folder) => folder.item);
function named(text: string): Item {
  const found = items.find(({ request: { url } }) => url.raw.includes(text));
  if (!found) throw new Error(`nothing is sent to ${text}`);
  return found;
}

test('the collection has the form of Collection Format 2.1.0', () => {
  expect(format.safeParse(collection).error).toBeUndefined();
});

test('every operation of the description is one request, in the folder of its tag', () => {
  const paths = document.paths as Record<string, Record<string, { summary: string }>>;
  const described = Object.values(paths).flatMap((methods) => Object.values(methods));
  expect(items.map(({ name }) => name).toSorted()).toEqual(
    described.map(({ summary }) => summary).toSorted(),
  );
  const [first] = format.parse(collection).item;
  expect(first?.name).toBe('Linked partner');
  expect(first?.item).toHaveLength(7);
});

test('every variable that a request uses is declared, or made by the script before it', () => {
  const declared = format.parse(collection).variable.map(({ key }) => key);
  const used = [...JSON.stringify(collection).matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => name);
  expect(used.length).toBeGreaterThan(20);
  expect([...new Set(used)].filter((name) => name !== 'accessToken').toSorted()).toEqual(declared.toSorted());
});

test('no secret and no identifier of a run is in the file', () => {
  const values = Object.fromEntries(format.parse(collection).variable.map(({ key, value }) => [key, value]));
  expect(values).toMatchObject({
    baseUrl: 'https://rubrica.example.com',
    clientId: '',
    clientSecret: '',
    run: '',
  });
});

test('bodies and queries send what earlier answers gave, and references of this run', () => {
  const { request: registration } = named('/collector/linked-partner/request');
  expect(registration.body).toMatchObject({
    raw: expect.stringContaining('"referenceTransaction": "TV-2026-000001-{{run}}"'),
  });
  expect(named('/cancel-request').request.body).toMatchObject({
    raw: expect.stringContaining('"linkedPartnerRequestId": "{{linkedPartnerRequestId}}"'),
  });
  const status = named('/middleware/signature-request/status').request.url;
  expect(status.raw).toBe(
    '{{baseUrl}}/middleware/signature-request/status?referenceTransaction=TV-2026-000001-{{run}}',
  );
  expect(status.query?.filter(({ disabled }) => disabled).map(({ key }) => key)).toEqual([
    'linkedPartnerRequestId',
  ]);
});

test('every body of the description is kept beside the answer', () => {
  const { response } = named('/collector/linked-partner/request');
  expect(response.map(({ name }) => name)).toEqual([
    'Natural person',
    'Legal representative',
    'Transactional signature',
  ]);
  expect(response[1]?.originalRequest.body).toMatchObject({ raw: expect.stringContaining('companyRuc') });
});

test('public operations send no token, the token is asked for as the client, all else is for the collection', () => {
  expect(named('/terms-and-conditions').request.auth).toEqual({ type: 'noauth' });
  expect(named('/oauth/token').request.auth).toMatchObject({ type: 'basic' });
  expect(named('/manager/certificate/revoke').request.auth).toBeUndefined();
});
