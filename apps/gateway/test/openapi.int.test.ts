import { buildDocsSite } from '@rubrica/build';
import { operations } from '@rubrica/contracts/rest/operations';
import { webhookEventTypes } from '@rubrica/contracts/rest/webhooks';
import { disposeAfterAll } from '@rubrica/testkit';
import { expect, test } from 'vitest';
import { testGateway } from './support/gateway.ts';
import { call } from './support/http.ts';

const gateway = await disposeAfterAll(testGateway({ DOCS_SITE: await buildDocsSite() }));

interface Document {
  openapi: string;
  paths: Record<string, Record<string, { responses: Record<string, object>; security: object[] }>>;
  webhooks: Record<
    string,
    { post: { requestBody: { content: Record<string, { schema: { $ref: string } }> } } }
  >;
  components: {
    headers: Record<string, object>;
    schemas: Record<
      string,
      { required?: string[]; properties?: Record<string, object>; additionalProperties?: boolean }
    >;
  };
}
async function load() {
  return (await call(`${gateway.url}/openapi.json`)).json<Document>();
}

test('every operation of the contracts is described, at its address and under its method', async () => {
  const { openapi, paths } = await load();
  expect(openapi).toBe('3.1.0');
  const described = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method} ${path}`),
  );
  const published = ['get /pki/{file}', 'post /pki/ocsp', 'get /pki/ocsp/{request}'];
  const served = Object.values(operations).map(({ method, path }) => `${method.toLowerCase()} ${path}`);
  expect(described.sort()).toEqual([...served, ...published].sort());
});

test('what certificates name is described as it is served: to everybody, and no JSON', async () => {
  const { paths } = await load();
  const file = paths['/pki/{file}']?.get;
  expect(file?.security).toEqual([]);
  const served = await fetch(`${gateway.url}/pki/root.cer`);
  expect(JSON.stringify(file?.responses['200'])).toContain(served.headers.get('content-type') ?? 'none');
  const answer = await fetch(`${gateway.url}/pki/ocsp`, { method: 'POST', body: new Uint8Array([0x30, 0]) });
  const ocsp = paths['/pki/ocsp']?.post;
  expect(JSON.stringify(ocsp?.responses['200'])).toContain(answer.headers.get('content-type') ?? 'none');
});

test('every reference leads somewhere', async () => {
  const text = (await call(`${gateway.url}/openapi.json`)).text;
  const { components } = JSON.parse(text) as Document;
  const named = Object.entries(components).flatMap(([kind, parts]) =>
    Object.keys(parts).map((name) => `#/components/${kind}/${name}`),
  );
  const references = [...text.matchAll(/"\$ref":"([^"]+)"/g)].map(([, reference]) => reference);
  expect(references.length).toBeGreaterThan(20);
  for (const reference of references) expect(named).toContain(reference);
});

test.each([
  ['/middleware/signature-request/status', '?referenceTransaction=TX-1', 200],
  ['/middleware/signature-request/status', '?referenceTransaction=nobody', 404],
  ['/gateway/reference/provinces', '', 200],
])('%s%s has all the headers that are documented for %d', async (path, query, status) => {
  await using limited = await testGateway({ RATE_LIMIT_PARTNER: '50', RATE_LIMIT_ADDRESS: '50' });
  const { paths, components } = await load();
  const described = paths[path]?.get?.responses[String(status)] as { headers: Record<string, object> };
  const answer = await call(`${limited.url}${path}${query}`, {
    token: await limited.token(),
    headers: { 'x-request-id': 'order-4711', 'accept-language': 'es' },
  });
  expect(answer.status).toBe(status);
  for (const name of Object.keys(described.headers))
    expect([name, answer.headers.has(name)]).toEqual([name, true]);
  expect(answer.headers.get('x-request-id')).toBe('order-4711');
  expect(components.headers).toHaveProperty('RateLimitReset');
});

test('the errors of an operation are given by status, with every code and the error object', async () => {
  const { paths } = await load();
  const responses = paths['/collector/linked-partner/request']?.post?.responses ?? {};
  expect(Object.keys(responses)).toEqual([
    '200',
    '400',
    '401',
    '403',
    '409',
    '413',
    '415',
    '429',
    '500',
    '503',
  ]);
  const conflict = JSON.stringify(responses['409']);
  expect(conflict).toContain('DUPLICATED_REFERENCE_TRANSACTION');
  expect(conflict).toContain('#/components/schemas/Error');
});

test('webhook bodies are closed, answers are open', async () => {
  const { webhooks, components } = await load();
  expect(Object.keys(webhooks)).toEqual(webhookEventTypes);
  expect(components.schemas.CertificateIssuedEvent).toMatchObject({
    required: ['referenceTransaction', 'file', 'serialNumber'],
    additionalProperties: false,
  });
  expect(components.schemas.LinkedPartnerResult).not.toHaveProperty('additionalProperties');
});

test.each([
  '/docs/en',
  '/docs/operators',
  '/llms.txt',
  '/openapi.json',
  '/docs/verify-webhook.ts',
  '/docs/webhook-vectors.json',
  '/docs/rubrica.postman_collection.json',
])('%s is not sent again while it is the same', async (path) => {
  const { headers } = await call(gateway.url + path);
  const again = await call(gateway.url + path, { headers: { 'if-none-match': headers.get('etag') ?? '' } });
  expect([again.status, again.text]).toEqual([304, '']);
});
