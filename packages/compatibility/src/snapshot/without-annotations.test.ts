import { expect, it } from 'vitest';
import { withoutAnnotations } from './without-annotations.ts';

it('texts for people are left out, and fields of their names are kept', () => {
  const schema = {
    title: 'A form',
    properties: { title: { type: 'string', description: 'of the form' }, id: { type: 'string' } },
  };
  expect(withoutAnnotations(schema)).toEqual({
    properties: { title: { type: 'string' }, id: { type: 'string' } },
  });
});
