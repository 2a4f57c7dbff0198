const timeDigits = 12;

/**
 * Reads the time at which a session was opened, in milliseconds since 1970. Its id is a UUID v7 (RFC 9562),
 * which the MAC of its row covers.
 */
export function readOpenedAt(sessionId: string): number {
  return Number.parseInt(sessionId.replaceAll('-', '').slice(0, timeDigits), 16);
}
