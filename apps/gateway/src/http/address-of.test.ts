import { expect, test } from 'vitest';
import { addressOf, networkOf } from './address-of.ts';

test('the address of a caller who has gone is unknown, and no fault', () => {
  expect(addressOf({ ip: undefined })).toBe('unknown');
  expect(addressOf({ ip: '10.0.0.1' })).toBe('10.0.0.1');
});

test.each([
  ['192.0.2.7', '192.0.2.7'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:db8:1:2::', '2001:db8:1:2::/64'],
  ['2001:0DB8:0001:0002::9', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
])('%s is counted as %s', (address, counted) => {
  expect(networkOf(address)).toBe(counted);
});
