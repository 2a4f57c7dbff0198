const longRun = /\p{M}{31}/u;

/**
 * Tells whether no more than 30 combining marks follow one another (UAX #15, section 13, Stream-Safe Text Format).
 * Normalising a longer run takes time that grows with its square: 250 kB of marks block a process for nine seconds.
 */
export function isStreamSafe(text: string): boolean {
  return !longRun.test(text);
}
