import { expect, test } from 'vitest';
import { listNetworks } from './list-networks.ts';

test.each([
  [undefined, ['unknown']],
  ['192.0.2.7', ['192.0.2.7']],
  ['::ffff:192.0.2.7', ['192.0.2.7']],
  ['2001:db8:1:2:3:4:5:6', ['2001:db8:1:2::/64', '2001:db8:1:0::/56']],
  ['2001:db8:1:2::', ['2001:db8:1:2::/64', '2001:db8:1:0::/56']],
  ['2001:0DB8:0001:01fe::9', ['2001:db8:1:1fe::/64', '2001:db8:1:100::/56']],
  ['2001:db8:1:200::9', ['2001:db8:1:200::/64', '2001:db8:1:200::/56']],
  ['2001:db8::1', ['2001:db8:0:0::/64', '2001:db8:0:0::/56']],
  ['::1', ['0:0:0:0::/64', '0:0:0:0::/56']],
  ['fe80::1%eth0', ['fe80:0:0:0::/64', 'fe80:0:0:0::/56']],
  ['01900000-0000-7000-8000-0000000000a1', ['01900000-0000-7000-8000-0000000000a1']],
])('%s is counted as %j', (address, counted) => {
  expect(listNetworks(address).map(({ key }) => key)).toEqual(counted);
});

test('a /56 has four times the limit of an address', () => {
  expect(listNetworks('2001:db8::1').map(({ share }) => share)).toEqual([1, 4]);
  expect(listNetworks('192.0.2.7').map(({ share }) => share)).toEqual([1]);
});

test('a /64 is counted as the addresses in it are', () => {
  for (const address of ['2001:db8:1:2fe:3:4:5:6', '::1', '2001:db8::'])
    expect(listNetworks(listNetworks(address)[0].key)).toEqual(listNetworks(address));
});
