import { describe, expect, it } from 'vitest';
import { forbiddenKind } from './address-rules.ts';

describe('forbiddenKind', () => {
  it.each([
    '1.1.1.1',
    '8.8.8.8',
    '100.63.255.255',
    '172.15.255.255',
    '172.32.0.1',
    '190.152.10.1',
    '2606:4700::1111',
    '2800:4f0::1',
  ])('lets the public address %s pass', (address) => {
    expect(forbiddenKind(address)).toBeUndefined();
  });

  it.each([
    ['127.0.0.1', 'loopback'],
    ['127.255.255.254', 'loopback'],
    ['::1', 'loopback'],
    ['::ffff:127.0.0.1', 'loopback'],
    ['::ffff:7f00:1', 'loopback'],
    ['10.1.2.3', 'private'],
    ['172.31.255.255', 'private'],
    ['192.168.0.1', 'private'],
    ['::ffff:10.0.0.1', 'private'],
    ['fd00::1', 'private'],
    ['169.254.169.254', 'link-local'],
    ['168.63.129.16', 'link-local'],
    ['fe80::1', 'link-local'],
    ['fe80::1%eth0', 'link-local'],
    ['100.64.0.1', 'shared'],
    ['100.100.100.200', 'shared'],
    ['0.0.0.0', 'unspecified'],
    ['::', 'unspecified'],
    ['224.0.0.1', 'multicast'],
    ['ff02::1', 'multicast'],
    ['192.0.2.7', 'documentation'],
    ['198.51.100.7', 'documentation'],
    ['203.0.113.7', 'documentation'],
    ['2001:db8::7', 'documentation'],
    ['255.255.255.255', 'reserved'],
    ['240.0.0.1', 'reserved'],
    ['64:ff9b::7f00:1', 'translated'],
    ['2002:7f00:1::', 'translated'],
    ['2001:0:53aa::1', 'translated'],
    ['::7f00:1', 'reserved'],
    ['4000::1', 'reserved'],
    ['not an address', 'reserved'],
    ['', 'reserved'],
  ])('holds back %s as %s', (address, kind) => {
    expect(forbiddenKind(address)).toBe(kind);
  });
});
