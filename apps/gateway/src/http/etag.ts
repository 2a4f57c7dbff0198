/** Returns whether a conditional request names the current version (RFC 9110 §13.1.2, weak comparison). */
export function matchesEtag(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch.trim() === '*') return true;
  const opaque = etag.replace(/^W\//, '');
  return ifNoneMatch.split(',').some((candidate) => candidate.trim().replace(/^W\//, '') === opaque);
}

/** Three forms of a date in HTTP (RFC 9110, section 5.6.7); all are in GMT, which asctime does not state. */
const httpDate = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;
const rfc850Date = /^[A-Z][a-z]{5,8}, \d{2}-[A-Z][a-z]{2}-\d{2} \d{2}:\d{2}:\d{2} GMT$/;
const asctimeDate = /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d{2}:\d{2}:\d{2} \d{4}$/;

function parseHttpDate(text: string): number {
  if (httpDate.test(text) || rfc850Date.test(text)) return Date.parse(text);
  return asctimeDate.test(text) ? Date.parse(`${text} GMT`) : Number.NaN;
}

interface Version {
  readonly etag: string;
  /** Value of the header. */
  readonly lastModified: string | undefined;
}

/**
 * Returns whether the client has the current version. `If-Modified-Since` counts only without `If-None-Match` (RFC
 * 9110, section 13.2.2); Java fetches CRLs and certificates of authorities with it alone.
 */
export function isUnchanged(
  headers: Readonly<Record<string, string | string[] | undefined>>,
  { etag, lastModified }: Version,
): boolean {
  const match = headers['if-none-match'];
  if (typeof match === 'string') return matchesEtag(match, etag);
  const since = headers['if-modified-since'];
  if (typeof since !== 'string' || lastModified === undefined) return false;
  return Date.parse(lastModified) <= parseHttpDate(since);
}
