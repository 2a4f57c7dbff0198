const prefix = '/pki/ocsp/';

/**
 * Decodes the request in the address of a GET: `/pki/ocsp/` and the URL-encoded base64 of its DER (RFC 6960 §A.1).
 * Slashes of the base64 are encoded or, from some clients and proxies, literal. Others send base64url, or an additional
 * slash where the address in the certificate ends in one; the base64 of a request starts with M.
 * @returns undefined for anything but base64
 */
export function decodeRequest(url: string): Buffer | undefined {
  const [path = ''] = url.split('?', 1);
  if (!path.startsWith(prefix)) return undefined;
  let text: string;
  try {
    text = decodeURIComponent(path.slice(prefix.length));
  } catch {
    return undefined;
  }
  // Some clients omit the padding; a plus decoded as in a form is a blank.
  const base64 = text
    .replace(/^\/+(?=M)/, '')
    .replaceAll(/[ -]/g, '+')
    .replaceAll('_', '/');
  return /^[A-Za-z0-9+/]+=*$/.test(base64) ? Buffer.from(base64, 'base64') : undefined;
}
