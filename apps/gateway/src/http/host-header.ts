import type { IncomingMessage } from 'node:http';
import { isIPv6 } from 'node:net';
import { createText } from '@rubrica/contracts/error-texts/create-text';
import type { ErrorText } from '@rubrica/contracts/error-texts/error-text';
import { AppError } from '@rubrica/process';

/** RFC 9110, section 7.2, and RFC 3986, section 3.2.2: a name, an IPv4 address or an IP literal, and perhaps a port. */
const hostAndPort = /^(?:\[([^\]]+)\]|(?:[\w\-.~!$&'()*+,;=]|%[0-9A-Fa-f]{2})+)(?::\d*)?$/;
const futureAddress = /^v[0-9A-Fa-f]+\.[\w\-.~!$&'()*+,;=:]+$/;

/**
 * RFC 9112, section 3.2: one Host header with a valid value. Proxies that disagree on which of several counts let a caller
 * pass for another.
 * @throws AppError BODY_MALFORMED
 */
export function assertHost({ rawHeaders, httpVersionMinor }: IncomingMessage): void {
  const hosts = rawHeaders.filter(
    (_, index) => rawHeaders[index - 1]?.toLowerCase() === 'host' && index % 2 === 1,
  );
  const [host] = hosts;
  if (host === undefined && httpVersionMinor === 0) return;
  if (host === undefined || hosts.length > 1) {
    throw refused(createText('call.hostCount', { count: hosts.length }));
  }
  if (!isHost(host)) throw refused(createText('call.hostInvalid'));
}

/** A comma is allowed in names by RFC 3986 and stands in none: it shows that two headers were joined. */
function isHost(text: string): boolean {
  const [matched, literal] = hostAndPort.exec(text) ?? [];
  if (matched === undefined || text.includes(',')) return false;
  return literal === undefined || isIPv6(literal) || futureAddress.test(literal);
}

function refused(text: ErrorText): AppError {
  return new AppError({ code: 'BODY_MALFORMED', text });
}
