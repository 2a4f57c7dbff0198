/**
 * Names the lane in which attempts wait. Each partner has its own lane per destination: receivers of many partners may
 * share a host, and one that hangs must not delay the others.
 */
export function formatLane(partnerId: string, destination: string): string {
  return `${partnerId} ${destination}`;
}

/**
 * Returns the destination that limits apply to. An address that is not a URL is its own destination; the dialer will
 * refuse it.
 */
export function toDestination(url: string): string {
  return URL.canParse(url) ? new URL(url).origin : url;
}
