import type { FastifyRequest } from 'fastify';

/** The caller's address, for the audit; `unknown` where the connection has ended, although the types exclude it. */
export function addressOf(request: { readonly ip: FastifyRequest['ip'] | undefined }): string {
  return request.ip?.slice(0, 64) ?? 'unknown';
}

const mappedPrefix = '::ffff:';

/**
 * What counts as one address: of IPv6 the /64, because one subscriber has all of it; of IPv4 the address itself, also
 * where the system shows it as IPv6.
 */
export function networkOf(address: string | undefined): string {
  if (address === undefined) return 'unknown';
  const isMapped = address.startsWith(mappedPrefix) && address.includes('.');
  const plain = isMapped ? address.slice(mappedPrefix.length) : address.slice(0, 64);
  return plain.includes(':') ? prefixOf(plain) : plain;
}

function prefixOf(address: string): string {
  const [first = '', last] = address.split('::', 2);
  const left = first === '' ? [] : first.split(':');
  const right = last === undefined || last === '' ? [] : last.split(':');
  const zeros = Array.from({ length: Math.max(0, 8 - left.length - right.length) }, () => '0');
  const groups = [...left, ...zeros, ...right].slice(0, 4);
  return `${groups.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/64`;
}
