import type { Bus } from './connect-bus.ts';

/**
 * Waits until nats-server has everything published so far.
 * @returns false if that cannot be known: the connection is lost, or the server did not confirm it within `withinMs`
 */
export async function flush(bus: Pick<Bus, 'nc' | 'isConnected'>, withinMs = 5_000): Promise<boolean> {
  if (!bus.isConnected()) return false;
  const { promise: patience, resolve } = Promise.withResolvers<false>();
  const timer = setTimeout(resolve, withinMs, false);
  try {
    return await Promise.race([
      bus.nc.flush().then(
        () => true,
        () => false,
      ),
      patience,
    ]);
  } finally {
    clearTimeout(timer);
  }
}
