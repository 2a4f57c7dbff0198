import { isIP } from 'node:net';
import { createText } from '@rubrica/contracts/error-texts/create-text';
import type { ErrorText } from '@rubrica/contracts/error-texts/error-text';
import { forbiddenKind, isWebPort } from '@rubrica/process/networks';

function isLoopback(host: string): boolean {
  if (isIP(host) === 0) return host === 'localhost' || host.endsWith('.localhost');
  return forbiddenKind(host) === 'loopback';
}

/** Maximum length of a host name (RFC 1035, section 2.3.4). */
const maxNameLength = 253;
const label = /^[^.]{1,63}$/;

function isPublic(host: string): boolean {
  if (isIP(host) !== 0) return forbiddenKind(host) === undefined;
  const labels = host.split('.');
  if (labels.length < 2 || host.length > maxNameLength || !labels.every((part) => label.test(part)))
    return false;
  return !isLoopback(host) && !/\.(local|internal|localdomain|home\.arpa)$/.test(host);
}

/**
 * Judges whether a callbackUrl may be accepted. It checks the spelling only; the notifier checks the address
 * that it really dials. A spelling that the notifier would refuse is refused here, while the partner can
 * correct it.
 * @returns the expectation that it fails; undefined for an acceptable one
 */
export function judgeCallbackUrl(
  text: string,
  { allowLoopback }: { readonly allowLoopback: boolean },
): ErrorText | undefined {
  const url = URL.parse(text);
  if (!url || url.username || url.password) return notPublic();
  const host = url.hostname.replace(/^\[|\]$/g, '').toLowerCase();
  // TLS sends names without the dot (RFC 6066, section 3), and many receivers know no host with it.
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
