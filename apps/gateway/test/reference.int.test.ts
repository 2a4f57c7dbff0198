import { operations } from '@rubrica/contracts/rest/operations';
import {
  type ReferenceErrorCode,
  type ReferenceItem,
  type ReferenceOperationId,
  referenceOperations,
} from '@rubrica/contracts/rest/reference';
import { families } from '@rubrica/contracts/shared/enumerations';
import { errorCatalogue } from '@rubrica/contracts/shared/errors';
import { provinces } from '@rubrica/ecuador';
import { disposeAfterAll } from '@rubrica/testkit';
import { describe, expect, it, test } from 'vitest';
import { type TestGateway, testGateway } from './support/gateway.ts';
import { call, rawExchange } from './support/http.ts';

const gateway = await disposeAfterAll(testGateway());

const addresses = [
  '/gateway/reference/provinces',
  '/gateway/reference/cities',
  '/gateway/reference/periods',
  '/gateway/reference/states',
  '/gateway/reference/types',
  '/gateway/reference/evidence-types',
  '/gateway/reference/validation-error-codes',
];
const lists = addresses.map((address) => address.slice('/gateway/reference/'.length));
const ids = Object.keys(referenceOperations) as ReferenceOperationId[];

const get = (list: string, headers?: Record<string, string>) => getFrom(gateway, list, headers);

function getFrom({ url }: TestGateway, list: string, headers: Record<string, string> = {}) {
  // Compressed for nobody, unless a test asks for it.
  return call(`${url}/gateway/reference/${list}`, {
    headers: { 'accept-encoding': 'identity', ...headers },
  });
}

async function rows(list: string, headers?: Record<string, string>) {
  return (await get(list, headers)).json<ReferenceItem[]>();
}

async function codes(list: string) {
  return (await rows(list)).map(({ code }) => code);
}

test('the lists of the interface are served, and no other', async () => {
  expect(ids.map((id) => operations[id].path)).toEqual(addresses);
  for (const list of ['', 'Cities', 'cities/', 'countries', '__proto__', '%2e%2e']) {
    const answer = await get(list);
    expect(answer.status, list).toBe(404);
    expect(answer.error().code).toBe('ROUTE_NOT_FOUND');
  }
  const posted = await call(`${gateway.url}/gateway/reference/cities`, { method: 'POST', body: {} });
  expect([posted.status, posted.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
});

describe.each(ids)('%s', (id) => {
  const { path, success } = operations[id];
  const list = path.slice('/gateway/reference/'.length);

  it('answers anybody rows of exactly the fields of the interface, in English unless Spanish is asked for', async () => {
    const english = await get(list);
    expect(english.status).toBe(200);
    expect(english.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(english.headers.get('content-language')).toBe('en');
    const fields = ['active', 'code', 'family', 'name', 'parentCode'];
    const flags = id === 'listValidationErrorCodes' ? ['correctable', 'retryable'] : [];
    for (const row of english.json<object[]>())
      expect(Object.keys(row).sort()).toEqual([...fields, ...flags].sort());
    const spanish = await get(list, { 'accept-language': 'es-EC,es;q=0.9,en;q=0.5' });
    expect(spanish.headers.get('content-language')).toBe('es');
    expect(success.parse(spanish.json()).length).toBe(success.parse(english.json()).length);
    expect((await get(list, { 'accept-language': 'fr' })).text).toBe(english.text);
  });

  it('may be kept by any cache, by language, and is not sent again while it is the same', async () => {
    const english = await get(list);
    expect(english.headers.get('cache-control')).toBe('public, max-age=300');
    expect(english.headers.get('vary')).toBe('Accept-Language, accept-encoding');
    const etag = english.headers.get('etag') ?? '';
    expect(etag).toMatch(/^"[\w-]{22}"$/);
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const again = await get(list, { 'if-none-match': known });
      expect([again.status, again.text]).toEqual([304, '']);
      for (const name of ['etag', 'vary', 'cache-control', 'content-language'])
        expect(again.headers.get(name)).toBe(english.headers.get(name));
    }
    const spanish = await get(list, { 'if-none-match': etag, 'accept-language': 'es' });
    expect(spanish.status).toBe(200);
    expect(spanish.headers.get('etag')).not.toBe(etag);
  });

  it('is compressed for those who take it, where that gains anything, and is the same version then', async () => {
    const plain = await get(list);
    const gains = Buffer.byteLength(plain.text) >= 1_024;
    for (const encoding of ['br', 'gzip']) {
      const answer = await get(list, { 'accept-encoding': encoding });
      expect(answer.headers.get('content-encoding')).toBe(gains ? encoding : null);
      expect(answer.text).toBe(plain.text);
      const etag = answer.headers.get('etag') ?? '';
      expect(etag).toBe(`${gains ? 'W/' : ''}${plain.headers.get('etag')}`);
      for (const known of [etag, plain.headers.get('etag') ?? '']) {
        const again = await get(list, { 'accept-encoding': encoding, 'if-none-match': known });
        expect([again.status, again.text]).toEqual([304, '']);
        for (const name of ['etag', 'vary', 'cache-control', 'content-language'])
          expect(again.headers.get(name)).toBe(answer.headers.get(name));
      }
    }
  });

  it('answers HEAD with the headers of GET alone', async () => {
    const head = await rawExchange(
      gateway.port,
      `HEAD ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`,
    );
    const { text, headers } = await get(list);
    expect(head).toMatch(/^HTTP\/1.1 200 OK\r\n/);
    expect(head.endsWith('\r\n\r\n')).toBe(true);
    expect(head).toContain(`content-length: ${Buffer.byteLength(text)}\r\n`);
    expect(head).toContain(`etag: ${headers.get('etag')}\r\n`);
  });

  it.each(families)('leaves for the family %s what is its own and what belongs to all', async (family) => {
    const all = await rows(list);
    expect(await rows(`${list}?family=${family}`)).toEqual(
      all.filter((row) => row.family === null || row.family === family),
    );
  });

  it('refuses a family that there is not, by its field, in the form of every error', async () => {
    for (const family of ['XX', 'tv', '__proto__']) {
      const answer = await get(`${list}?family=${family}`);
      expect(answer.status).toBe(400);
      expect(answer.error().errors).toMatchObject([
        { code: 'FIELD_INVALID', field: 'family', message: expect.stringContaining(`"${family}" is not`) },
      ]);
      expect(answer.headers.get('cache-control')).toBe('no-store');
      expect(answer.headers.get('etag')).toBeNull();
    }
    const twice = await get(`${list}?family=TV&family=FR`);
    expect(twice.error()).toMatchObject({ status: 400, message: 'family must be given once' });
  });

  it('ignores what it does not know in the query, and an empty filter', async () => {
    const { text } = await get(list);
    expect((await get(`${list}?family=&lang=es&x[]=1&__proto__=2`)).text).toBe(text);
  });
});

test('cities belong to provinces, which may be named by code or name without accents and case', async () => {
  const all = await rows('cities');
  expect(all).toHaveLength(222);
  expect(all.map(({ parentCode }) => provinces.some(({ code }) => code === parentCode))).not.toContain(false);
  const manabi = all.filter(({ parentCode }) => parentCode === '13');
  expect(manabi).toContainEqual({
    code: '1301',
    name: 'Portoviejo',
    parentCode: '13',
    family: null,
    active: true,
  });
  for (const name of ['13', 'Manab%C3%AD', 'manabi', 'MANABI%CC%81', '+Manab%C3%AD+'])
    expect(await rows(`cities?province=${name}`), name).toEqual(manabi);
  for (const { code } of provinces) expect(await codes(`cities?province=${code}`)).toContain(`${code}01`);
});

test.each(['Atlantis', '25', '1', '1301', '__proto__', 'x'.repeat(200), '%00'])(
  'a province that there is not is refused: %s',
  async (province) => {
    const answer = await get(`cities?province=${province}`);
    expect(answer.status).toBe(400);
    expect(answer.error().errors).toMatchObject([{ code: 'FIELD_INVALID', field: 'province' }]);
  },
);

test('all that is wrong with a query is told at once', async () => {
  const answer = await get('cities?province=Atlantis&family=XX');
  expect(answer.error().errors.map(({ field }) => field)).toEqual(['province', 'family']);
});

test('states of the two fields are told apart, and named in the language of the caller', async () => {
  const states = await rows('states', { 'accept-language': 'es' });
  expect(states).toContainEqual({
    code: 'REFUSED',
    name: 'Rechazada',
    parentCode: 'STATUS',
    family: null,
    active: true,
  });
  expect(states.filter(({ code }) => code === 'REFUSED').map(({ parentCode }) => parentCode)).toEqual([
    'STATUS',
    'VALIDATION_STATUS',
  ]);
});

test('the catalogue of codes is served whole, with its texts and what can be done', async () => {
  const catalogue = (await get('validation-error-codes', { 'accept-language': 'es' })).json<
    ReferenceErrorCode[]
  >();
  expect(catalogue).toEqual(
    Object.entries(errorCatalogue).map(([code, { es: name, correctable, retryable }]) => ({
      ...{ code, name, parentCode: null, family: null, active: true },
      ...{ correctable, retryable },
    })),
  );
});

test('the description shows each list with its filters, its headers and an example that is true', async () => {
  interface Described {
    parameters: { name: string; in: string }[];
    security: object[];
    responses: Record<string, { headers: object; content: Record<string, { example: unknown[] }> }>;
  }
  const { paths } = (await call(`${gateway.url}/openapi.json`)).json<{
    paths: Record<string, { get: Described } | undefined>;
  }>();
  for (const list of lists) {
    const described = paths[`/gateway/reference/${list}`]?.get;
    if (described === undefined) throw new Error(`${list} is not described`);
    const { parameters, security, responses } = described;
    expect(security).toEqual([]);
    const filters = list === 'cities' ? ['province', 'family'] : ['family'];
    expect(parameters.map(({ name }) => name)).toEqual([
      ...filters,
      'x-request-id',
      'traceparent',
      'Accept-Language',
      'If-None-Match',
    ]);
    expect(Object.keys(responses)).toEqual(['200', '304', '400', '429', '500', '503']);
    expect(Object.keys(responses['200']?.headers ?? {})).toEqual(
      expect.arrayContaining(['ETag', 'Vary', 'Cache-Control', 'Content-Language']),
    );
    const example = responses['200']?.content['application/json']?.example;
    expect(example).toEqual((await rows(list)).slice(0, 3));
  }
});

test('the same answer has the same tag in every copy and after every start', async () => {
  await using other = await testGateway();
  for (const list of lists) {
    const [here, there] = [await get(list), await getFrom(other, list)];
    expect(there.text).toBe(here.text);
    expect(there.headers.get('etag')).toBe(here.headers.get('etag'));
  }
});

test('look-ups of one address are counted with its other public look-ups', async () => {
  await using limited = await testGateway({ RATE_LIMIT_ADDRESS: '2' });
  const statuses = [];
  for (const list of ['cities', 'periods', 'cities'])
    statuses.push((await call(`${limited.url}/gateway/reference/${list}`)).status);
  expect(statuses).toEqual([200, 200, 429]);
});

test('for pages of other origins a cache keeps answers apart by origin too', async () => {
  await using open = await testGateway({ CORS_ORIGINS: 'https://a.example, https://b.example' });
  const { headers } = await call(`${open.url}/gateway/reference/cities`, {
    headers: { origin: 'https://a.example' },
  });
  expect(headers.get('access-control-allow-origin')).toBe('https://a.example');
  expect(headers.get('vary')).toBe('Origin, Accept-Language, accept-encoding');
});
