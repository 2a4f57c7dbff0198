import { operations } from '@rubrica/contracts/rest/operations';
import { buildDocument } from '@rubrica/openapi/build-document';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createSite } from '../site.ts';

const row = operations.listPeriods as { deprecated?: object };

let pages: ReadonlyMap<string, string>;
beforeAll(() => {
  row.deprecated = { since: '2026-12-01', sunset: '2027-12-31', link: '/docs/en/versions' };
  const baseUrl = 'https://rubrica.example';
  const document = buildDocument({ baseUrl, version: '1' });
  pages = new Map(
    createSite({ document, baseUrl, isSandbox: false }).map(({ address, text }) => [address, text]),
  );
});
afterAll(() => {
  delete row.deprecated;
});

test.each([
  ['en', 'Deprecated since 2026-12-01; it ends on 2027-12-31.', 'Time at which the operation ends'],
  ['es', 'Obsoleta desde 2026-12-01; termina el 2027-12-31.', 'Momento en que termina'],
])('the page of an operation that will end says so in %s', (language, text, header) => {
  const page = pages.get(`/docs/${language}/reference/listPeriods`);
  expect(page).toContain(text);
  expect(page).toContain(header);
  expect(pages.get(`/docs/${language}/reference/listStates`)).not.toContain('2027-12-31');
});
