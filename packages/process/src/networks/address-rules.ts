import { BlockList, isIP } from 'node:net';

/** Kind of an address that is not public; the value appears in the record of an attempt. */
export type AddressKind =
  | 'loopback'
  | 'private'
  | 'link-local'
  | 'shared'
  | 'multicast'
  | 'documentation'
  | 'reserved'
  | 'translated'
  | 'unspecified';

type Range = readonly [prefix: string, bits: number, kind: AddressKind];

/**
 * IANA special-purpose registries for IPv4 (RFC 6890 and updates). Metadata services of clouds use 169.254.0.0/16,
 * 100.100.100.200 (shared) and 168.63.129.16, which is public by number.
 */
const ipv4Ranges: readonly Range[] = [
  ['0.0.0.0', 8, 'unspecified'],
  ['10.0.0.0', 8, 'private'],
  ['100.64.0.0', 10, 'shared'],
  ['127.0.0.0', 8, 'loopback'],
  ['168.63.129.16', 32, 'link-local'],
  ['169.254.0.0', 16, 'link-local'],
  ['172.16.0.0', 12, 'private'],
  ['192.0.0.0', 24, 'reserved'],
  ['192.0.2.0', 24, 'documentation'],
  ['192.31.196.0', 24, 'reserved'],
  ['192.52.193.0', 24, 'reserved'],
  ['192.88.99.0', 24, 'translated'],
  ['192.168.0.0', 16, 'private'],
  ['192.175.48.0', 24, 'reserved'],
  ['198.18.0.0', 15, 'private'],
  ['198.51.100.0', 24, 'documentation'],
  ['203.0.113.0', 24, 'documentation'],
  ['224.0.0.0', 4, 'multicast'],
  ['240.0.0.0', 4, 'reserved'],
];

/**
 * Ranges inside 2000::/3, the only global unicast space that is assigned; everything outside it is refused completely.
 */
const ipv6Ranges: readonly Range[] = [
  ['::', 128, 'unspecified'],
  ['::1', 128, 'loopback'],
  // NAT64, Teredo and 6to4 carry an IPv4 address that the receiving network dials.
  ['64:ff9b::', 96, 'translated'],
  ['64:ff9b:1::', 48, 'translated'],
  ['2001::', 32, 'translated'],
  ['2002::', 16, 'translated'],
  ['100::', 64, 'reserved'],
  ['2001::', 23, 'reserved'],
  ['2001:db8::', 32, 'documentation'],
  ['3fff::', 20, 'documentation'],
  ['fc00::', 7, 'private'],
  ['fe80::', 10, 'link-local'],
  ['fec0::', 10, 'private'],
  ['ff00::', 8, 'multicast'],
];

function createRules(ranges: readonly Range[], family: 'ipv4' | 'ipv6') {
  return ranges.map(([prefix, bits, kind]) => {
    const list = new BlockList();
    list.addSubnet(prefix, bits, family);
    return { list, kind };
  });
}

const ipv4Rules = createRules(ipv4Ranges, 'ipv4');
const ipv6Rules = createRules(ipv6Ranges, 'ipv6');
const globalUnicast = createRules([['2000::', 3, 'reserved']], 'ipv6');

/**
 * Finds the kind that prevents an address from being public.
 * @param address as the resolver or the socket returns it, without brackets
 * @returns undefined for a public address
 */
export function forbiddenKind(address: string): AddressKind | undefined {
  const bare = address.split('%', 1)[0] ?? '';
  const family = isIP(bare);
  if (family === 0) return 'reserved';
  if (family === 4) return ipv4Rules.find(({ list }) => list.check(bare, 'ipv4'))?.kind;
  // An IPv4-mapped address (::ffff:0:0/96) reaches the IPv4 host itself, so the IPv4 rules apply first.
  const special =
    ipv4Rules.find(({ list }) => list.check(bare, 'ipv6')) ??
    ipv6Rules.find(({ list }) => list.check(bare, 'ipv6'));
  if (special !== undefined) return special.kind;
  return globalUnicast.some(({ list }) => list.check(bare, 'ipv6')) ? undefined : 'reserved';
}

/** Networks allowed by configuration. */
export type Networks = BlockList;

/**
 * Parses networks.
 * @param texts addresses or CIDR blocks, e.g. `10.20.0.0/16` or `fd12::/48`
 * @throws Error that names the invalid text
 */
export function readNetworks(texts: readonly string[]): Networks {
  const networks = new BlockList();
  for (const text of texts) {
    const [address = '', bits, ...rest] = text.split('/');
    const family = isIP(address);
    const widest = family === 4 ? 32 : 128;
    const prefix = bits === undefined ? widest : /^\d{1,3}$/.test(bits) ? Number(bits) : Number.NaN;
    // A prefix of 0 would allow everything, which cannot be intended.
    if (family === 0 || rest.length > 0 || !(prefix >= 1 && prefix <= widest))
      throw new Error(`"${text}" is no address and no network such as 10.20.0.0/16`);
    networks.addSubnet(address, prefix, family === 4 ? 'ipv4' : 'ipv6');
  }
  return networks;
}

/**
 * Tells whether an address is in the networks.
 * @param address as the resolver or the socket returns it; an IPv4-mapped one counts as the IPv4 address
 */
export function isInNetworks(address: string, networks: Networks): boolean {
  const bare = address.split('%', 1)[0] ?? '';
  const family = isIP(bare);
  return family !== 0 && networks.check(bare, family === 4 ? 'ipv4' : 'ipv6');
}
