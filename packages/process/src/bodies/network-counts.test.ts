import { expect, test } from 'vitest';
import { listNetworks } from '../networks/list-networks.ts';
import { createNetworkCounts } from './network-counts.ts';

const site = (n: number) => listNetworks(`2001:db8:0:${(256 + n).toString(16)}::1`);

test('a /56 is as full as an address that holds a quarter of it', () => {
  const counts = createNetworkCounts();
  for (let n = 0; n < 8; n += 1) counts.add(site(n), 1);
  expect(counts.load(site(0))).toBe(2);
  expect(counts.load(site(100))).toBe(2);
  expect(counts.load(site(100), 1)).toBe(2.25);
  expect(counts.load(listNetworks('2001:db8:0:200::1'))).toBe(0);
  for (let n = 0; n < 8; n += 1) counts.add(site(n), -1);
  expect(counts.load(site(0))).toBe(0);
});

test('an address is full by itself while its /56 has room', () => {
  const counts = createNetworkCounts();
  counts.add(site(0), 3);
  expect(counts.load(site(0))).toBe(3);
  expect(counts.load(site(1))).toBe(0.75);
});
