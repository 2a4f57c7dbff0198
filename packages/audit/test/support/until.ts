/** Asks again until the answer is what is waited for. */
export async function until<T>(
  ask: () => T | Promise<T>,
  isDone: (value: T) => boolean,
  withinMs = 15_000,
): Promise<T> {
  const deadline = performance.now() + withinMs;
  for (;;) {
    const value = await ask();
    if (isDone(value)) return value;
    if (performance.now() > deadline) throw new Error(`still ${JSON.stringify(value)} after ${withinMs} ms`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
