import { expect, test } from 'vitest';
import { addressOf } from './address-of.ts';

test('the address of a caller who has gone is unknown, and no fault', () => {
  expect(addressOf({ ip: undefined })).toBe('unknown');
  expect(addressOf({ ip: '10.0.0.1' })).toBe('10.0.0.1');
});
