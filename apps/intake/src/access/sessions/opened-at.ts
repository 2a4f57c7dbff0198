const timeDigits = 12;

/** When a session was opened, in milliseconds since 1970: its id is a UUID v7 (RFC 9562), which the MAC of its row covers. */
export function openedAt(sessionId: string): number {
  return Number.parseInt(sessionId.replaceAll('-', '').slice(0, timeDigits), 16);
}
