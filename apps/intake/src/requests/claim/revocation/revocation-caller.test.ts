import { expect, it } from 'vitest';
import { toCountedAddress } from './revocation-caller.ts';

it.each([
  ['192.0.2.7', '192.0.2.7'],
  ['2001:db8:1:2::/64', '2001:db8:1::/48'],
  ['2001:db8:1:ff::/64', '2001:db8:1::/48'],
  ['2001:db8:2:2::/64', '2001:db8:2::/48'],
  ['0:0:0:0::/64', '0:0:0::/48'],
  ['unknown', 'unknown'],
])('counts %s as %s', (address, counted) => {
  expect(toCountedAddress(address)).toBe(counted);
});
