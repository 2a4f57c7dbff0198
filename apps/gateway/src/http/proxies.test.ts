import { expect, test } from 'vitest';
import { createIsProxy } from './proxies.ts';

test('proxies are named by address, by network, or by a kind of network', () => {
  const isProxy = createIsProxy(['192.0.2.1', '198.51.100.0/24', '2001:db8::/32', 'loopback']);
  for (const member of [
    '192.0.2.1',
    '::ffff:192.0.2.1',
    '198.51.100.77',
    '2001:db8::9',
    '127.0.0.9',
    '::1',
  ]) {
    expect(isProxy(member), member).toBe(true);
  }
  for (const stranger of ['192.0.2.2', '198.51.101.1', '2001:db9::1', '10.0.0.1']) {
    expect(isProxy(stranger), stranger).toBe(false);
  }
});

test('without proxies nobody is one', () => {
  expect(createIsProxy()('127.0.0.1')).toBe(false);
});
