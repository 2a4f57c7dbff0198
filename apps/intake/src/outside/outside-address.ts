const thisMachine = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * Returns true for an https address, or http on this machine for an adapter next to the service. User, query
 * and fragment are refused.
 */
export function isOutsideSystemAddress(text: string): boolean {
  return isOutsideAddress(text) && !/[?#]/.test(text);
}

/** Returns true for such an address, also with query and fragment. */
export function isOutsideAddress(text: string): boolean {
  const url = URL.parse(text);
  if (url === null || url.username !== '' || url.password !== '') return false;
  return url.protocol === 'https:' || (url.protocol === 'http:' && thisMachine.has(url.hostname));
}
