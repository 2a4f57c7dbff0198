/** Returns the `CN` of a distinguished name in text form (RFC 4514), or the whole name without one. */
export function getCommonName(distinguishedName: string): string {
  const found = /(?:^|[,+] ?)CN=((?:\\.|[^,+\\])+)/.exec(distinguishedName)?.[1];
  return found === undefined ? distinguishedName : found.replace(/\\(.)/g, '$1');
}
