import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { outlineBody } from './body-outline.ts';

test('an outline names the fields of a body and their sizes, and holds no value of it', () => {
  const file = Buffer.alloc(5_432, 7);
  const sent = {
    referenceTransaction: 'TX-ñ',
    file: file.toString('base64'),
    password: 'Clave larga 1.~',
    serialNumber: 'A1B2C3',
  };
  const body = Buffer.from(JSON.stringify(sent));
  const digest = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
  const outline = outlineBody(body);
  expect(outline).toEqual({
    bytes: body.length,
    sha256: digest(body),
    fields: [
      { name: 'referenceTransaction', kind: 'text', bytes: 5, sha256: null },
      { name: 'file', kind: 'base64', bytes: 5_432, sha256: digest(file) },
      { name: 'password', kind: 'secret', bytes: null, sha256: null },
      { name: 'serialNumber', kind: 'text', bytes: 6, sha256: null },
    ],
  });
  for (const value of Object.values(sent)) expect(JSON.stringify(outline)).not.toContain(value);
});

test('an outline of an envelope names what is in it, and holds no value of a secret there either', () => {
  const data = { referenceTransaction: 'TX-1', file: 'AAAA', password: 'Clave larga 1.~' };
  const outline = outlineBody(Buffer.from(JSON.stringify({ type: 'certificate.issued', data })));
  expect(outline.fields.map(({ name, kind }) => `${name} ${kind}`)).toEqual([
    'type text',
    'data.referenceTransaction text',
    'data.file base64',
    'data.password secret',
  ]);
  expect(outline.fields.at(-1)).toEqual({ name: 'data.password', kind: 'secret', bytes: null, sha256: null });
});
