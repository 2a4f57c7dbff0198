import { inflateSync } from 'node:zlib';
import { apiFlowOperations } from '@rubrica/contracts/rest/api-flow';
import type { Operation } from '@rubrica/contracts/rest/operation';
import { operations } from '@rubrica/contracts/rest/operations';
import { regularOperations } from '@rubrica/contracts/rest/regular';
import { simplifiedOperations } from '@rubrica/contracts/rest/simplified';
import { transactionalOperations } from '@rubrica/contracts/rest/transactional';
import { webhookBodies } from '@rubrica/contracts/rest/webhooks';
import { checkCedula, checkCellphone, checkFingerCode, checkRuc, findCanton } from '@rubrica/ecuador';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { apiFlowExamples } from './examples/api-flow.ts';
import { pdf, picture } from './examples/files.ts';
import { regularExamples } from './examples/regular.ts';
import { simplifiedExamples } from './examples/simplified.ts';
import { transactionalExamples } from './examples/transactional.ts';
import { type Example, examples, webhookExamples } from './examples.ts';

const tables: readonly (readonly [Record<string, Operation>, Record<string, Example>])[] = [
  [operations, examples],
  [regularOperations, regularExamples],
  [transactionalOperations, transactionalExamples],
  [simplifiedOperations, simplifiedExamples],
  [apiFlowOperations, apiFlowExamples],
];
const rows = tables.flatMap(([table, of]) =>
  Object.entries(table).map(([id, operation]) => ({ id, operation, example: of[id] as Example })),
);

test.each(rows)(
  'the answer of $id is what its schema describes, and nothing beside',
  ({ operation, example }) => {
    expect(operation.success.parse(example.answer)).toEqual(example.answer);
  },
);

test.each(rows.filter(({ operation }) => operation.body))(
  'every body of $id passes its schema, with no field that the schema does not know',
  ({ operation, example }) => {
    const bodies = Object.values(example.bodies ?? {});
    expect(bodies.length).toBeGreaterThan(0);
    for (const body of bodies) expect(operation.body?.parse(body)).toEqual(body);
  },
);

test.each(rows.filter(({ operation }) => operation.query))(
  'the query of $id passes its schema',
  ({ operation, example }) => {
    expect(operation.query?.parse(example.query)).toEqual(example.query);
  },
);

const place = z.object({ province: z.string(), city: z.string() }).partial();
const facts = z
  .object({
    identificationNumber: z.string(),
    companyRuc: z.string(),
    fingerCode: z.string(),
    cellphoneNumber: z.string(),
  })
  .partial();

test.each(rows.filter(({ operation }) => operation.body))(
  'the numbers and places of $id are such as registration takes',
  ({ example }) => {
    for (const body of Object.values(example.bodies ?? {})) {
      const { identificationNumber, companyRuc, fingerCode, cellphoneNumber } = facts.parse(body);
      if (identificationNumber) expect(checkCedula(identificationNumber)).toMatchObject({ ok: true });
      if (companyRuc)
        expect(checkRuc(companyRuc)).toEqual({ ok: true, value: companyRuc, kind: 'juridical' });
      if (fingerCode) expect(checkFingerCode(fingerCode)).toMatchObject({ ok: true });
      if (cellphoneNumber) expect(checkCellphone(cellphoneNumber)).toMatchObject({ ok: true });
      const { province, city } = place.parse(body);
      if (province) expect(findCanton(city ?? '', province)).toBeDefined();
    }
  },
);

test('the bodies of webhooks are what strict receivers take', () => {
  for (const [type, schema] of Object.entries(webhookBodies))
    expect(schema.safeParse(webhookExamples[type as keyof typeof webhookExamples]).success).toBe(true);
});

test('the picture is a whole PNG of 8 by 8 pixels', () => {
  const bytes = Buffer.from(picture, 'base64');
  expect(bytes.toString('base64')).toBe(picture);
  expect([bytes.readUInt32BE(16), bytes.readUInt32BE(20), bytes[24]]).toEqual([8, 8, 1]);
  const start = bytes.indexOf('IDAT') + 4;
  // Each row of one-bit pixels: its filter, and one byte.
  expect(inflateSync(bytes.subarray(start, start + bytes.readUInt32BE(start - 8)))).toHaveLength(8 * 2);
  expect(bytes.subarray(-8, -4).toString('latin1')).toBe('IEND');
});

test('the example PDF is a PDF whose cross-reference table is where it says', () => {
  const text = Buffer.from(pdf, 'base64').toString('latin1');
  const start = Number(/startxref\n(\d+)\n%%EOF\n$/.exec(text)?.[1]);
  expect(text.slice(start)).toMatch(/^xref\n/);
  const offsets = [...text.matchAll(/^(\d{10}) 00000 n/gm)].map(([, offset]) => Number(offset));
  offsets.forEach((offset, index) => void expect(text.slice(offset)).toMatch(`${index + 1} 0 obj`));
});
