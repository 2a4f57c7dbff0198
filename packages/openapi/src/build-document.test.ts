import { Validator } from '@seriousme/openapi-schema-validator';
import { expect, test } from 'vitest';
import { buildDocument } from './build-document.ts';

const document = buildDocument({ baseUrl: 'https://rubrica.example.com', version: '1.0.0' });
const plain = JSON.parse(JSON.stringify(document));

test('the document is what the OpenAPI 3.1 schema describes', async () => {
  const validator = new Validator();
  const result = await validator.validate(plain);
  expect(result).toEqual({ valid: true });
  expect(validator.version).toBe('3.1');
});

test('families come before what is beside them, in a document that names each tag once', () => {
  const names: string[] = plain.tags.map(({ name }: { name: string }) => name);
  expect(names[0]).toBe('Linked partner');
  expect(names.indexOf('Certificates')).toBeLessThan(names.indexOf('Authentication'));
  expect(names.at(-1)).toBe('Webhooks');
  expect(new Set(names).size).toBe(names.length);
});

test('bodies have examples with names that generators can use', () => {
  const { content } = plain.paths['/collector/linked-partner/request'].post.requestBody;
  const { examples } = content['application/json'];
  expect(Object.keys(examples)).toEqual(['naturalPerson', 'legalRepresentative', 'transactionalSignature']);
  expect(examples.legalRepresentative).toMatchObject({
    summary: 'Legal representative',
    value: { companyRuc: '1790016919001' },
  });
});
