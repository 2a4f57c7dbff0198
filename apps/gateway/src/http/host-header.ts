import type { IncomingMessage } from 'node:http';
import { isIPv6 } from 'node:net';
import { createText } from '@rubrica/contracts/error-texts/create-text';
import type { ErrorText } from '@rubrica/contracts/error-texts/error-text';
import { AppError } from '@rubrica/process/errors';

/**
 * RFC 9110, section 7.2, and RFC 3986, section 3.2.2: a name, an IPv4 address or an IP literal, with an optional port.
 */
const hostAndPort = /^(?:\[([^\]]+)\]|(?:[\w\-.~!$&'()*+,;=]|%[0-9A-Fa-f]{2})+)(?::\d*)?$/;
const futureAddress = /^v[0-9A-Fa-f]+\.[\w\-.~!$&'()*+,;=:]+$/;

/**
 * Checks for one Host header with a valid value (RFC 9112, section 3.2). If proxies disagree on which of several
 * counts, a caller can impersonate another.
 * @throws AppError BODY_MALFORMED
 */
export function assertHost({ rawHeaders, httpVersionMinor }: IncomingMessage): void {
  const hosts = rawHeaders.filter(
    (_, index) => rawHeaders[index - 1]?.toLowerCase() === 'host' && index % 2 === 1,
  );
  const [host] = hosts;
  if (host === undefined && httpVersionMinor === 0) return;
  if (host === undefined || hosts.length > 1) {
    throw createRefusal(createText('call.hostCount', { count: hosts.length }));
  }
  if (!isHost(host)) throw createRefusal(createText('call.hostInvalid'));
}

/** Validates a host. RFC 3986 allows a comma in names, but none has one: it indicates two joined headers. */
function isHost(text: string): boolean {
  const [matched, literal] = hostAndPort.exec(text) ?? [];
  if (matched === undefined || text.includes(',')) return false;
  return literal === undefined || isIPv6(literal) || futureAddress.test(literal);
}

function createRefusal(text: ErrorText): AppError {
  return new AppError({ code: 'BODY_MALFORMED', text });
}
