import type { IncomingHttpHeaders } from 'node:http';

/** Returns why a call that may change something is refused; undefined for a call from the console's own pages. */
export function findCrossSiteRefusal(
  headers: IncomingHttpHeaders,
  origin: string,
): 'origin' | 'type' | undefined {
  const site = headers['sec-fetch-site'];
  if (headers.origin !== origin || (site !== undefined && site !== 'same-origin')) return 'origin';
  // A form of another site can send any type but this.
  const [type = ''] = (headers['content-type'] ?? '').split(';');
  return type.trim().toLowerCase() === 'application/json' ? undefined : 'type';
}
