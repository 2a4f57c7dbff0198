import { isIP } from 'node:net';
import { say } from '@rubrica/contracts/error-texts/say';
import { forbiddenKind, isWebPort } from '@rubrica/process';

function isLoopback(host: string): boolean {
  if (isIP(host) === 0) return host === 'localhost' || host.endsWith('.localhost');
  return forbiddenKind(host) === 'loopback';
}

/** RFC 1035, section 2.3.4: what is longer has no address. */
const longestName = 253;
const label = /^[^.]{1,63}$/;

function isPublic(host: string): boolean {
  if (isIP(host) !== 0) return forbiddenKind(host) === undefined;
  const labels = host.split('.');
  if (labels.length < 2 || host.length > longestName || !labels.every((one) => label.test(one))) return false;
  return !isLoopback(host) && !/\.(local|internal|localdomain|home\.arpa)$/.test(host);
}

/**
 * Judges whether a callbackUrl may be accepted. It is the first look, at the spelling only: the notifier checks the address
 * that it really dials. What the notifier would refuse by the spelling is refused here, while the partner can mend it.
 * @returns what is expected of it; undefined for one that may be accepted
 */
export function judgeCallbackUrl(
  text: string,
  { allowLoopback }: { readonly allowLoopback: boolean },
): string | undefined {
  const url = URL.parse(text);
  if (!url || url.username || url.password) return notPublic();
  const host = url.hostname.replace(/^\[|\]$/g, '').toLowerCase();
  // TLS sends names without it (RFC 6066, section 3), and many receivers know no host with it.
  if (host.endsWith('.')) return say('must not have a dot at the end of its host');
  if (url.port === '0') return say('must have a port other than 0');
  if (allowLoopback && isLoopback(host)) {
    return ['http:', 'https:'].includes(url.protocol) ? undefined : notPublic();
  }
  if (url.protocol !== 'https:' || !isPublic(host)) return notPublic();
  return allowLoopback || isWebPort(url.port) ? undefined : otherPort(url.port);
}

function notPublic(): string {
  return say('must be a public https address without user or password');
}

function otherPort(given: string): string {
  return say(
    'must use port 443, or one from 1024 on that no database, broker or other service uses; {given} is not allowed',
    { given },
  );
}
