/**
 * Name of the lane that attempts wait in. Each partner has its own to a destination: receivers of many partners may stand behind one
 * host, and one that hangs must not hold up the others.
 */
export function laneOf(partnerId: string, destination: string): string {
  return `${partnerId} ${destination}`;
}

/** What attempts are bounded by. An address that is no URL is its own destination; the dialer will refuse it. */
export function destinationOf(url: string): string {
  return URL.canParse(url) ? new URL(url).origin : url;
}
