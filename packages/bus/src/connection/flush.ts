import type { Bus } from './connect-bus.ts';

/**
 * Resolves when nats-server has everything published so far, or when that cannot be known any more:
 * the connection is gone, or the server did not say so within `withinMs`.
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
