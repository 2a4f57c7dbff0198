export interface RoleConnections {
  /** Limit; -1: none. */
  readonly limit: number;
  readonly sessions: number;
}

/**
 * Checks the limit of connections. Without a limit one role can use up the connections of the server; with too low a
 * limit a copy waits for itself.
 * @param ofCopy maximum connections of one copy
 * @throws Error with the fault
 */
export function judgeConnections({ limit, sessions }: RoleConnections, ofCopy: number): string {
  if (limit === -1) throw new Error('the role has no limit of connections');
  if (limit < ofCopy)
    throw new Error(`the role may have ${limit} connections, and one copy has up to ${ofCopy}`);
  return `${sessions} of ${limit} connections are used, and one copy has up to ${ofCopy}`;
}
