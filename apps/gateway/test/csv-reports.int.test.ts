import type { ErrorObject } from '@rubrica/contracts/shared/errors';
import { disposeAfterAll } from '@rubrica/testkit';
import { beforeEach, expect, test } from 'vitest';
import { createFakeState, operator, partner } from './support/fake-state.ts';
import { testGateway } from './support/gateway.ts';
import { call } from './support/http.ts';

const gateway = await disposeAfterAll(testGateway());

beforeEach(() => {
  const { requestPages, refusesSearches, operatorRole } = createFakeState();
  Object.assign(gateway.state, { requestPages, refusesSearches, operatorRole });
  gateway.state.asked.splice(0);
});

async function get(path: string, role: 'viewer' | 'reviewer' = 'reviewer', signal?: AbortSignal) {
  gateway.state.operatorRole = role;
  const { email, password } = operator;
  const answer = await call(`${gateway.url}/trpc/auth.signIn`, { body: { email, password } });
  const token = answer.json<{ result: { data: { accessToken: string } } }>().result.data.accessToken;
  const headers = { authorization: `Bearer ${token}` };
  return fetch(`${gateway.url}/reports/${path}`, { headers, ...(signal && { signal }) });
}

function pagesAsked() {
  return gateway.state.asked.filter(({ path }) => path === 'requests.search');
}

test('all pages of a search are one file, by its filters, and no text in it is a formula', async () => {
  const answer = await get('requests.csv?status=GENERATED&name=pepe');
  expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8; header=present');
  expect(answer.headers.get('content-disposition')).toBe('attachment; filename="requests.csv"');
  const bytes = Buffer.from(await answer.arrayBuffer());
  const [header, ...lines] = bytes.toString().trimEnd().split('\r\n');
  expect(bytes.subarray(0, 3).toString('hex')).toBe('efbbbf');
  expect(header).toBe(
    '\ufeffrequestId,family,partnerId,referenceTransaction,identificationNumber,name,status,validationStatus,createdDate,updatedDate',
  );
  expect(lines).toHaveLength(300);
  expect(lines[299]).toContain(
    `,TV,${partner.partnerId},'=cmd|2.99,"=""1710034065""","Ñúñez, ""Pepe""",GENERATED,`,
  );
  expect(pagesAsked().map(({ input }) => input)).toMatchObject(
    [undefined, '1', '2'].map((cursor) => ({
      status: 'GENERATED',
      name: 'pepe',
      limit: 100,
      ...(cursor && { cursor }),
    })),
  );
});

test('a viewer sees the numbers masked, as in every answer', async () => {
  const text = await (await get('requests.csv', 'viewer')).text();
  expect(text).not.toContain('1710034065');
  expect(text).toContain('******4065');
});

test('a report has a line for each partner and family', async () => {
  const lines = (await (await get('usage.csv?month=2026-10')).text()).trimEnd().split('\r\n');
  expect(lines.slice(0, 2)).toEqual([
    'month,partnerId,partnerName,family,registered,issued,refused,cancelled,expired',
    `2026-10,${partner.partnerId},'+Partner,TV,3,2,1,0,0`,
  ]);
  expect(lines).toHaveLength(6);
});

test.each([
  ['requests.csv?statis=ERROR', 400, 'FIELD_INVALID'],
  ['requests.csv?status=ERROR&status=GENERATED', 400, 'FIELD_INVALID'],
  ['usage.csv?month=13', 400, 'FIELD_INVALID'],
  ['others.csv', 404, 'ROUTE_NOT_FOUND'],
  ['toString', 404, 'ROUTE_NOT_FOUND'],
])('%s is refused as an answer of its own', async (path, status, code) => {
  const answer = await get(path);
  expect([answer.status, ((await answer.json()) as ErrorObject).code]).toEqual([status, code]);
});

test('nobody has a report without a token', async () => {
  const answer = await fetch(`${gateway.url}/reports/requests.csv`);
  expect([answer.status, ((await answer.json()) as ErrorObject).code]).toEqual([401, 'UNAUTHENTICATED']);
});

test('a file of which a page is missing does not end in order', async () => {
  gateway.state.requestPages = undefined;
  const answer = await get('requests.csv');
  const whole = answer.text();
  await expect.poll(() => pagesAsked().length).toBeGreaterThan(2);
  // From now on the service refuses.
  gateway.state.refusesSearches = true;
  await expect(whole).rejects.toThrow();
});

/** Twice the same, half a second apart. */
function pagesStandStill() {
  let before = -1;
  const isQuiet = () => {
    const now = pagesAsked().length;
    const same = now === before;
    before = now;
    return same;
  };
  return expect.poll(isQuiet, { interval: 500, timeout: 60_000 }).toBe(true);
}

test('no page is asked for before the reader has taken those that are on their way', async () => {
  gateway.state.requestPages = undefined;
  const reader = new AbortController();
  const answer = await get('requests.csv', 'reviewer', reader.signal);
  const body = answer.body?.getReader();
  await body?.read();
  await pagesStandStill();
  const untilNow = pagesAsked().length;
  while (pagesAsked().length === untilNow) await body?.read();
  reader.abort();
});

test('no page is asked for once the reader has gone', async () => {
  gateway.state.requestPages = undefined;
  const reader = new AbortController();
  const answer = await get('requests.csv', 'reviewer', reader.signal);
  await answer.body?.getReader().read();
  reader.abort();
  await pagesStandStill();
});
