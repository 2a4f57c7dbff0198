const allowedMs = 30_000;

/**
 * Measures how far this machine's clock is from another.
 * @throws Error if the difference is too large for checking tokens
 */
export async function assertClock(of: string, read: () => Promise<number>): Promise<string> {
  const startedMs = Date.now();
  const referenceMs = await read();
  const aheadMs = (startedMs + Date.now()) / 2 - referenceMs;
  const seconds = (Math.abs(aheadMs) / 1_000).toFixed(1);
  const text = `${seconds} s ${aheadMs < 0 ? 'behind' : 'ahead of'} ${of}`;
  if (Math.abs(aheadMs) > allowedMs) throw new Error(text);
  return text;
}
