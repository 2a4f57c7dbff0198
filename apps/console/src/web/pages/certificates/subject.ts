/** The `CN` of a distinguished name as text (RFC 4514), or all of it where it has none. */
export function commonNameOf(distinguishedName: string): string {
  const found = /(?:^|[,+] ?)CN=((?:\\.|[^,+\\])+)/.exec(distinguishedName)?.[1];
  return found === undefined ? distinguishedName : found.replace(/\\(.)/g, '$1');
}
