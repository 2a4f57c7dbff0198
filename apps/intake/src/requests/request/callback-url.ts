import { isIP } from 'node:net';
import { createText } from '@rubrica/contracts/error-texts/create-text';
import type { ErrorText } from '@rubrica/contracts/error-texts/error-text';
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
): ErrorText | undefined {
  const url = URL.parse(text);
  if (!url || url.username || url.password) return notPublic();
  const host = url.hostname.replace(/^\[|\]$/g, '').toLowerCase();
  // TLS sends names without it (RFC 6066, section 3), and many receivers know no host with it.
  if (host.endsWith('.')) return createText('field.hostTrailingDot');
  if (url.port === '0') return createText('field.portZero');
  if (allowLoopback && isLoopback(host)) {
    return ['http:', 'https:'].includes(url.protocol) ? undefined : notPublic();
  }
  if (url.protocol !== 'https:' || !isPublic(host)) return notPublic();
  return allowLoopback || isWebPort(url.port) ? undefined : otherPort(url.port);
}

function notPublic(): ErrorText {
  return createText('field.publicUrl');
}

function otherPort(given: string): ErrorText {
  return createText('field.portNotAllowed', { given });
}
