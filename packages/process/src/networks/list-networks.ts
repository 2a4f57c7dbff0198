/** Network that counts as one caller. */
export interface CountedNetwork {
  readonly key: string;
  /** Multiple of one address's limit that the network may use. */
  readonly share: number;
}

const mappedPrefix = '::ffff:';

/**
 * Share of a /56. An IPv6 subscriber has at least a /64 and often a /56, which is 256 of them. Four times the limit
 * leaves capacity for neighbours if a provider assigns smaller parts of it.
 */
const siteShare = 4;

/**
 * Lists the networks that an address counts for, narrowest first. An IPv4 address counts for itself, also if the system
 * shows it as IPv6; an IPv6 address for its /64 and its /56.
 * @param address or its /64, as this function returns it
 */
export function listNetworks(
  address: string | undefined,
): readonly [CountedNetwork, ...(readonly CountedNetwork[])] {
  if (address === undefined) return [{ key: 'unknown', share: 1 }];
  const isMapped = address.startsWith(mappedPrefix) && address.includes('.');
  const plain = isMapped ? address.slice(mappedPrefix.length) : address.slice(0, 64);
  if (!plain.includes(':')) return [{ key: plain, share: 1 }];
  const [first = 0, second = 0, third = 0, fourth = 0] = readGroups(plain);
  const prefixWith = (last: number) =>
    [first, second, third, last].map((group) => group.toString(16)).join(':');
  return [
    { key: `${prefixWith(fourth)}::/64`, share: 1 },
    { key: `${prefixWith(fourth & 0xff00)}::/56`, share: siteShare },
  ];
}

/** Reads the first four groups of sixteen bits. */
function readGroups(address: string): readonly number[] {
  const [first = '', last] = address.replace(/\/64$/, '').split('::', 2);
  const left = first === '' ? [] : first.split(':');
  const right = last === undefined || last === '' ? [] : last.split(':');
  const zeros = Array.from({ length: Math.max(0, 8 - left.length - right.length) }, () => '0');
  return [...left, ...zeros, ...right].slice(0, 4).map((group) => Number.parseInt(group, 16));
}
