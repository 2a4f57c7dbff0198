import type { Deprecation, Operation } from '@rubrica/contracts/rest/operation';
import { operations } from '@rubrica/contracts/rest/operations';
import { disposeAfterAll } from '@rubrica/testkit';
import { afterAll, expect, test } from 'vitest';
import { testGateway } from './support/gateway.ts';
import { call } from './support/http.ts';

const end: Deprecation = { since: '2026-12-01', sunset: '2027-12-31', link: '/docs/en/versions' };
const rows = [operations.listPeriods, operations.cancelSimplified] as { deprecated?: Deprecation }[];
for (const row of rows) row.deprecated = end;
const gateway = await disposeAfterAll(testGateway());

afterAll(async () => {
  for (const row of rows) delete row.deprecated;
});

const told = {
  deprecation: '@1796083200',
  sunset: 'Fri, 31 Dec 2027 00:00:00 GMT',
  link: '</docs/en/versions>; rel="deprecation"; type="text/html"',
};

async function headersOf({ path, method }: Pick<Operation, 'path' | 'method'>) {
  const { status, headers } = await call(gateway.url + path, { method });
  return { status, said: Object.fromEntries(Object.keys(told).map((name) => [name, headers.get(name)])) };
}

test('every answer of an operation that will end says so, a refusal too', async () => {
  expect(await headersOf(operations.listPeriods)).toEqual({ status: 200, said: told });
  expect(await headersOf(operations.cancelSimplified)).toEqual({ status: 401, said: told });
  const { said } = await headersOf(operations.listStates);
  expect(said).toEqual({ deprecation: null, sunset: null, link: null });
});

test('the description marks it, with the headers', async () => {
  interface Described {
    readonly deprecated?: boolean;
    readonly responses: Readonly<Record<string, { readonly headers: object }>>;
  }
  const { paths } = (await call(`${gateway.url}/openapi.json`)).json<{
    paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
  }>();
  const marked = Object.values(paths).flatMap((methods) =>
    Object.values(methods).filter((row) => row.deprecated),
  );
  expect(marked).toHaveLength(rows.length);
  for (const { responses } of marked)
    expect(Object.keys(responses['200']?.headers ?? {})).toEqual(
      expect.arrayContaining(['Deprecation', 'Sunset', 'Link']),
    );
});
