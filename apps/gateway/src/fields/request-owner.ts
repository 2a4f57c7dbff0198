/** A request as the owner of what is sealed: PostgreSQL gives ids in lower case, partners may write them otherwise. */
export const requestOwner = (requestId: string): string => requestId.toLowerCase();
