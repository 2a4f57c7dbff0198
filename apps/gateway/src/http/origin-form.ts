const schemeAndAuthority = /^https?:\/\/[^/?#]*/i;

/**
 * The target of a request without scheme and host: a server accepts the absolute-form that clients send to proxies (RFC 9112,
 * section 3.2.2).
 */
export function toOriginForm(target: string): string {
  if (!schemeAndAuthority.test(target)) return target;
  const rest = target.replace(schemeAndAuthority, '');
  return rest.startsWith('/') ? rest : `/${rest}`;
}
