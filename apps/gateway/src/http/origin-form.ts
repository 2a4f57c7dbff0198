const schemeAndAuthority = /^https?:\/\/[^/?#]*/i;

/**
 * Removes scheme and host from the target of a request: a server must accept the absolute-form that clients send to
 * proxies (RFC 9112, section 3.2.2).
 */
export function toOriginForm(target: string): string {
  if (!schemeAndAuthority.test(target)) return target;
  const rest = target.replace(schemeAndAuthority, '');
  return rest.startsWith('/') ? rest : `/${rest}`;
}
