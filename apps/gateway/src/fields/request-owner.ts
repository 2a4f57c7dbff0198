/** A request as the owner of what is sealed: PostgreSQL gives ids in lower case, partners may write them otherwise. */
export function requestOwner(requestId: string): string {
  return requestId.toLowerCase();
}
