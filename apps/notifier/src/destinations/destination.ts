/** What attempts are bounded by. An address that is no URL is its own destination; the dialer will refuse it. */
export function destinationOf(url: string): string {
  return URL.canParse(url) ? new URL(url).origin : url;
}
