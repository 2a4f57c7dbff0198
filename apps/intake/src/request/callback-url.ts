import { BlockList, isIP } from 'node:net';

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

/** Ranges that no public receiver has: private, link-local, shared, documentation, multicast, reserved, translated. */
const reserved = new BlockList();
for (const [network, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
] as const)
  reserved.addSubnet(network, prefix, 'ipv4');

function hostOf(url: URL): string {
  return url.hostname
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '')
    .toLowerCase();
}

function isLoopback(host: string): boolean {
  const version = isIP(host);
  if (version === 0) return host === 'localhost' || host.endsWith('.localhost');
  return loopback.check(host, version === 4 ? 'ipv4' : 'ipv6');
}

function isPublic(host: string): boolean {
  const version = isIP(host);
  if (version === 4) return !reserved.check(host, 'ipv4');
  // Global unicast without the documentation, 6to4 and Teredo ranges, RFC 4291 §2.4 and RFC 6890.
  if (version === 6) return /^[23]/.test(host) && !/^(2002:|2001:db8:|2001:0?:|2001::)/.test(host);
  return host.includes('.') && !isLoopback(host) && !/\.(local|internal|localdomain|home\.arpa)$/.test(host);
}

/**
 * Whether a callbackUrl may be accepted. It is the first look, at the spelling only: the notifier checks the
 * address that it really dials.
 */
export function checkCallbackUrl(text: string, options: { allowLoopback: boolean }): boolean {
  const url = URL.parse(text);
  if (!url || url.username || url.password) return false;
  const host = hostOf(url);
  if (options.allowLoopback && isLoopback(host)) return url.protocol === 'http:' || url.protocol === 'https:';
  return url.protocol === 'https:' && isPublic(host);
}
