import { createConfig, lintFromString } from '@redocly/openapi-core';
import { expect, test } from 'vitest';
import { buildDocument } from './build-document.ts';

const document = buildDocument({ baseUrl: 'https://rubrica.ec', version: '1.0.0' });
const source = JSON.stringify(document);

test('Redocly’s recommended rules find neither error nor warning', async () => {
  const config = await createConfig({ extends: ['recommended'] });
  const problems = await lintFromString({ source, config, absoluteRef: 'openapi.json' });
  expect(problems.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer])).toEqual(
    [],
  );
});

/** What `spectral:oas` asks for beyond that; Spectral itself is 52 MB, and is run by hand where this document changes. */
test('the description says whom to ask, and each operation what it does', () => {
  const { info, paths } = JSON.parse(source);
  expect(info.contact).toMatchObject({ name: expect.any(String), url: expect.stringContaining('https://') });
  const operations = Object.values<Record<string, { operationId: string; description?: string }>>(
    paths,
  ).flatMap((methods) => Object.values(methods));
  expect(operations.length).toBeGreaterThan(25);
  expect(operations.filter(({ description }) => !description).map(({ operationId }) => operationId)).toEqual(
    [],
  );
});
