import { expect, test } from 'vitest';
import { getCallerAddress, getCallerNetwork } from './caller-address.ts';

test('the address of a caller who has gone is unknown, and no fault', () => {
  expect(getCallerAddress({ ip: undefined })).toBe('unknown');
  expect(getCallerAddress({ ip: '10.0.0.1' })).toBe('10.0.0.1');
});

test('an address of IPv6 is its /64 to intake, and one of IPv4 itself', () => {
  expect(getCallerNetwork('2001:db8:1:2:3:4:5:6')).toBe('2001:db8:1:2::/64');
  expect(getCallerNetwork('192.0.2.7')).toBe('192.0.2.7');
});
