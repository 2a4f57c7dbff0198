import { buildDocsSite } from '@rubrica/build';
import { operations } from '@rubrica/contracts/rest/operations';
import { disposeAfterAll } from '@rubrica/testkit';
import { beforeEach, expect, test } from 'vitest';
import { arrangeSuccess } from './support/documented-calls.ts';
import { partner } from './support/fake-state.ts';
import { testGateway } from './support/gateway.ts';
import { call } from './support/http.ts';
import { type Collection, createPostmanClient, type PostmanItem } from './support/postman-client.ts';

const gateway = await disposeAfterAll(testGateway({ DOCS_SITE: await buildDocsSite() }));
arrangeSuccess(gateway);
const collection = (await call(`${gateway.url}/docs/rubrica.postman_collection.json`)).json<Collection>();

beforeEach(() => {
  gateway.state.registered.length = 0;
});

function client(settings: Record<string, string> = {}) {
  return createPostmanClient(collection, {
    baseUrl: gateway.url,
    clientId: partner.clientId,
    clientSecret: partner.clientSecret,
    ...settings,
  });
}

const paths = new Set<string>(
  Object.values(operations).map(({ path }) => path.replaceAll(/\{(\w+)\}/g, ':$1')),
);
function pathOf({ request }: PostmanItem) {
  return request.url.raw.replace('{{baseUrl}}', '').split('?')[0] ?? '';
}

function itemAt(path: string): PostmanItem {
  const found = collection.item.flatMap(({ item }) => item).find((item) => pathOf(item) === path);
  if (!found) throw new Error(`nothing is sent to ${path}`);
  return found;
}

function registration() {
  return itemAt('/collector/linked-partner/request');
}

function idOf(text: string) {
  return JSON.parse(text).linkedPartnerRequestId as string;
}

test('with client and secret set, every request can be sent as it is', async () => {
  const postman = client();
  const answers: string[] = [];
  for (const item of collection.item.flatMap(({ item }) => item)) {
    if (!paths.has(pathOf(item))) continue;
    const { status, text } = await postman.send(item);
    answers.push(`${pathOf(item)} ${status}${status === 200 ? '' : text}`);
  }
  expect(answers).toHaveLength(Object.keys(operations).length);
  expect(answers.filter((answer) => !answer.endsWith(' 200'))).toEqual([]);
  expect(postman.failed).toEqual([]);
});

test('calls name the request that was registered before them', async () => {
  const postman = client();
  const { text } = await postman.send(registration());
  expect(postman.variables.get('linkedPartnerRequestId')).toBe(idOf(text));
  gateway.state.retried.length = 0;
  await postman.send(itemAt('/manager/linked-partner/retry-process-signature'));
  expect(gateway.state.retried).toMatchObject([{ requestId: idOf(text) }]);
});

test('references are the same within a run, and new in the next', async () => {
  const postman = client();
  await postman.send(registration());
  await postman.send(registration());
  postman.variables.set('run', '');
  await postman.send(registration());
  const [first, second, third] = gateway.state.registered.map(
    ({ input }) => input.fields.referenceTransaction as string,
  );
  expect(first).toMatch(/^TV-2026-000001-\d{13}$/);
  expect(second).toBe(first);
  expect(third).not.toBe(first);
});

test('one token serves all calls, and is of no use to another client', async () => {
  const postman = client();
  await postman.send(registration());
  const token = postman.variables.get('accessToken');
  expect(token).toMatch(/^ey/);
  await postman.send(registration());
  expect(postman.variables.get('accessToken')).toBe(token);
  postman.variables.set('clientId', 'another client');
  expect((await postman.send(registration())).status).toBe(401);
  expect(postman.complaints).toEqual([expect.stringContaining('invalid_client')]);
});

test('without a client public requests can be sent, and all others say what is missing', async () => {
  const postman = client({ clientId: '' });
  const terms = itemAt('/gateway/collector/terms-and-conditions/by-type');
  expect((await postman.send(terms)).status).toBe(200);
  expect((await postman.send(registration())).status).toBe(401);
});
