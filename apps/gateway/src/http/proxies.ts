import { BlockList, isIPv6 } from 'node:net';

/** Names that `TRUST_PROXY` accepts instead of addresses, as in Fastify. */
const namedNetworks: Readonly<Record<string, readonly string[]>> = {
  loopback: ['127.0.0.1/8', '::1/128'],
  linklocal: ['169.254.0.0/16', 'fe80::/10'],
  uniquelocal: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'],
};

export type IsProxy = (address: string) => boolean;

/**
 * Creates the check for addresses of our proxies, whose connections carry many callers. A network in another notation
 * than a prefix length is ignored: its connections are limited, which is visible and harmless.
 */
export function createIsProxy(trusted: readonly string[] = []): IsProxy {
  const members = new BlockList();
  for (const entry of trusted.flatMap((name) => namedNetworks[name] ?? name)) {
    const [address = '', prefix] = entry.split('/', 2);
    const family = isIPv6(address) ? 'ipv6' : 'ipv4';
    if (prefix === undefined) members.addAddress(address, family);
    else if (/^\d+$/.test(prefix)) members.addSubnet(address, Number(prefix), family);
  }
  return (address) => members.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
}
