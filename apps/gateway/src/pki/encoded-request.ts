const prefix = '/pki/ocsp/';

/**
 * The request inside the address of a GET: `/pki/ocsp/` and the URL-encoded base64 of its DER (RFC 6960 §A.1). Slashes
 * of the base64 come encoded or, from some clients and through some proxies, as they are. Others write base64url, or a slash more
 * where the address in the certificate ends in one; the base64 of a request begins with M.
 * @returns undefined where it is not base64 at all
 */
export function encodedRequest(url: string): Buffer | undefined {
  const [path = ''] = url.split('?', 1);
  if (!path.startsWith(prefix)) return undefined;
  let text: string;
  try {
    text = decodeURIComponent(path.slice(prefix.length));
  } catch {
    return undefined;
  }
  // Padding is left out by some clients; a blank stands where a plus was decoded as in a form.
  const base64 = text
    .replace(/^\/+(?=M)/, '')
    .replaceAll(/[ -]/g, '+')
    .replaceAll('_', '/');
  return /^[A-Za-z0-9+/]+=*$/.test(base64) ? Buffer.from(base64, 'base64') : undefined;
}
