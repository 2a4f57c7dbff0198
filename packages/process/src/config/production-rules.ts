import { isIP } from 'node:net';

/** A setting of development and tests, and why a real authority must not have it. */
interface ProductionRule {
  readonly env: string;
  isBroken(text: string): boolean;
  readonly why: string;
}

const onlyForTests = 'is for development and tests';

/** Refused unless SANDBOX is true: each would quietly take away what the rest relies on. */
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
    isBroken: (text) => text.split(',').some((entry) => isNearlyEverybody(entry.trim())),
    why: 'trusts nearly everybody: callers could name any address as theirs. Name the addresses or networks of your proxies',
  },
  {
    env: 'BASE_URL',
    isBroken: isPlainToOthers,
    why: 'must be an https address: applicants send documents and passwords there',
  },
  {
    env: 'CONSOLE_URL',
    isBroken: isPlainToOthers,
    why: 'must be an https address: operators sign in there',
  },
  {
    env: 'OPERATOR_OIDC_ISSUER',
    isBroken: (text) => text.startsWith('http:'),
    why: 'must be an https address: it says who is an operator',
  },
];

/** Refused where SANDBOX is true. */
export const sandboxRules: readonly ProductionRule[] = [
  {
    env: 'BASE_URL',
    isBroken: (text) => text.startsWith('https:'),
    why: 'is an https address, as a real authority has it: nobody checks people while SANDBOX=true. Set SANDBOX=false, or an http address',
  },
];

/**
 * Faults of settings that fit a sandbox alone, or anything but a sandbox.
 * @param known names of the settings that are read; nothing is refused where SANDBOX is not among them
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

/** Is the address of this machine alone? Names below `localhost` are (RFC 6761, 6.3). */
export function isLoopbackAddress(url: string): boolean {
  const host = URL.parse(url)?.hostname.replace(/^\[|\]$/g, '') ?? '';
  return /(^|\.)localhost$/.test(host) || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
}

function isPlainToOthers(url: string): boolean {
  return url.startsWith('http:') && !isLoopbackAddress(url);
}

/** Largest networks that a proxy may be in: those of private addresses are smaller, but for fc00::/7. */
const leastBits = { 4: 8, 6: 16 } as const;
const bitsBeforeMapped = 96;

function isNearlyEverybody(network: string): boolean {
  const [address = '', size] = network.split('/');
  const kind = isIP(address);
  if (size === undefined || kind === 0) return false;
  if (kind === 4) return bitsIn(size) < leastBits[4];
  if (/^f[cd]/i.test(address) && bitsIn(size) >= 7) return false;
  const isMapped = /^(::ffff:|0*:0*:0*:0*:0*:ffff:)/i.test(address) && bitsIn(size) >= bitsBeforeMapped;
  return isMapped ? bitsIn(size) - bitsBeforeMapped < leastBits[4] : bitsIn(size) < leastBits[6];
}

/** Counts the bits of a size such as `8` or `255.0.0.0`. */
function bitsIn(size: string): number {
  if (isIP(size) !== 4) return Number(size);
  return size
    .split('.')
    .reduce((bits, byte) => bits + Number(byte).toString(2).replaceAll('0', '').length, 0);
}
