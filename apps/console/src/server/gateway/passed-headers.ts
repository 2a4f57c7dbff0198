import type { IncomingHttpHeaders } from 'node:http';

/** Request headers that are passed to the gateway. Cookies and other headers of a browser are dropped. */
const requestHeaders = [
  'accept',
  'accept-language',
  'content-type',
  'if-none-match',
  'last-event-id',
  'range',
  'trpc-accept',
  'user-agent',
] as const;

const responseHeaders = [
  'accept-ranges',
  'cache-control',
  'content-disposition',
  'content-length',
  'content-range',
  'content-type',
  'etag',
  'last-modified',
  'retry-after',
  'x-request-id',
] as const;

function pick(headers: IncomingHttpHeaders, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = headers[name];
      return typeof value === 'string' ? [[name, value]] : [];
    }),
  );
}

/**
 * Selects the headers for the gateway.
 * @param address of the operator; replaces any forwarded address in the request
 */
export function selectGatewayHeaders(
  headers: IncomingHttpHeaders,
  { address, accessToken }: { readonly address: string; readonly accessToken: string | undefined },
): Record<string, string> {
  return {
    ...pick(headers, requestHeaders),
    'x-forwarded-for': address,
    ...(accessToken === undefined ? {} : { authorization: `Bearer ${accessToken}` }),
  };
}

export function selectBrowserHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  return pick(headers, responseHeaders);
}
