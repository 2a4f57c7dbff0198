import type { IncomingHttpHeaders } from 'node:http';

/** Why a call that may change something is not passed on; undefined where it is one of our own pages'. */
export function refusalOf(headers: IncomingHttpHeaders, origin: string): 'origin' | 'type' | undefined {
  const site = headers['sec-fetch-site'];
  if (headers.origin !== origin || (site !== undefined && site !== 'same-origin')) return 'origin';
  // A form of another site can send anything but this.
  const [type = ''] = (headers['content-type'] ?? '').split(';');
  return type.trim().toLowerCase() === 'application/json' ? undefined : 'type';
}
