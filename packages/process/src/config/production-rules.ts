import { isIP } from 'node:net';

/** Setting for development and tests, and why a real authority must not have it. */
interface ProductionRule {
  readonly env: string;
  isBroken(text: string): boolean;
  readonly why: string;
}

const onlyForTests = 'is for development and tests';

/** Rules that apply unless SANDBOX is true: each refused value would silently remove a safeguard. */
export const productionRules: readonly ProductionRule[] = [
  {
    env: 'CALLBACK_ALLOW_LOOPBACK',
    isBroken: (text) => text === 'true',
    why: `${onlyForTests}: partners could have webhooks sent to servers of this machine`,
  },
  {
    env: 'CRASHPOINT_DIR',
    isBroken: () => true,
    why: `${onlyForTests}: who may write to that folder could end the process at will`,
  },
  {
    env: 'TRUST_PROXY',
    isBroken: (text) => text.split(',').some((entry) => coversMostAddresses(entry.trim())),
    why: 'trusts nearly everybody: callers could name any address as theirs. Name the addresses or networks of your proxies',
  },
  {
    env: 'BASE_URL',
    isBroken: isPlainHttpToOthers,
    why: 'must be an https address: applicants send documents and passwords there',
  },
  {
    env: 'CONSOLE_URL',
    isBroken: isPlainHttpToOthers,
    why: 'must be an https address: operators sign in there',
  },
  {
    env: 'OPERATOR_OIDC_ISSUER',
    isBroken: (text) => text.startsWith('http:'),
    why: 'must be an https address: it says who is an operator',
  },
];

/** Rules that apply if SANDBOX is true. */
export const sandboxRules: readonly ProductionRule[] = [
  {
    env: 'BASE_URL',
    isBroken: (text) => text.startsWith('https:'),
    why: 'is an https address, as a real authority has it: nobody checks people while SANDBOX=true. Set SANDBOX=false, or an http address',
  },
];

/**
 * Lists faults of settings that fit only a sandbox, or only a production system.
 * @param known names of the settings that are read; without SANDBOX among them nothing is refused
 */
export function refusedSettings(
  known: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): string[] {
  if (!known.includes('SANDBOX')) return [];
  const isSandbox = env.SANDBOX === 'true';
  return (isSandbox ? sandboxRules : productionRules)
    .filter(({ env: name, isBroken }) => known.includes(name) && env[name] && isBroken(env[name]))
    .map(({ env: name, why }) => `${name} ${why}${isSandbox ? '' : ' (refused unless SANDBOX=true)'}`);
}

/** Tells whether the address is local to this machine. Names below `localhost` are (RFC 6761, 6.3). */
export function isLoopbackAddress(url: string): boolean {
  const host = URL.parse(url)?.hostname.replace(/^\[|\]$/g, '') ?? '';
  return /(^|\.)localhost$/.test(host) || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
}

function isPlainHttpToOthers(url: string): boolean {
  return url.startsWith('http:') && !isLoopbackAddress(url);
}

/** Largest networks in which a proxy may be: those of private addresses are smaller, except fc00::/7. */
const leastBits = { 4: 8, 6: 16 } as const;
const bitsBeforeMapped = 96;

function coversMostAddresses(network: string): boolean {
  const [address = '', size] = network.split('/');
  const kind = isIP(address);
  if (size === undefined || kind === 0) return false;
  if (kind === 4) return bitsIn(size) < leastBits[4];
  if (/^f[cd]/i.test(address) && bitsIn(size) >= 7) return false;
  const isMapped = /^(::ffff:|0*:0*:0*:0*:0*:ffff:)/i.test(address) && bitsIn(size) >= bitsBeforeMapped;
  return isMapped ? bitsIn(size) - bitsBeforeMapped < leastBits[4] : bitsIn(size) < leastBits[6];
}

/** Counts the bits of a size, for example `8` or `255.0.0.0`. */
function bitsIn(size: string): number {
  if (isIP(size) !== 4) return Number(size);
  return size
    .split('.')
    .reduce((bits, byte) => bits + Number(byte).toString(2).replaceAll('0', '').length, 0);
}
