import type { IncomingHttpHeaders } from 'node:http';

/** What of a request means something to the gateway. Cookies and whatever else a browser adds stay here. */
const asked = [
  'accept',
  'accept-language',
  'content-type',
  'if-none-match',
  'last-event-id',
  'range',
  'trpc-accept',
  'user-agent',
] as const;

const answered = [
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

/** @param address the operator's, in place of whatever was sent as such */
export function headersForGateway(
  headers: IncomingHttpHeaders,
  { address, accessToken }: { readonly address: string; readonly accessToken: string | undefined },
): Record<string, string> {
  return {
    ...pick(headers, asked),
    'x-forwarded-for': address,
    ...(accessToken === undefined ? {} : { authorization: `Bearer ${accessToken}` }),
  };
}

export function headersForBrowser(headers: IncomingHttpHeaders): Record<string, string> {
  return pick(headers, answered);
}
