const thisMachine = new Set(['localhost', '127.0.0.1', '[::1]']);

/** An https address; http only on this machine, for an adapter beside the service. No user, query or fragment. */
export function isOutsideSystemAddress(text: string): boolean {
  return isOutsideAddress(text) && !/[?#]/.test(text);
}

/** The same, with query and fragment. */
export function isOutsideAddress(text: string): boolean {
  const url = URL.parse(text);
  if (url === null || url.username !== '' || url.password !== '') return false;
  return url.protocol === 'https:' || (url.protocol === 'http:' && thisMachine.has(url.hostname));
}
