/** Formats a request id as the owner of a seal: PostgreSQL returns ids in lower case, partners may use upper case. */
export function requestOwner(requestId: string): string {
  return requestId.toLowerCase();
}
