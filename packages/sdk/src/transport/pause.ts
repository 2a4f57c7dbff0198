import { orAborted } from './or-aborted.ts';

/** @throws the reason of the signal, at once when it aborts */
export async function pause(ms: number, signal?: AbortSignal): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const over = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  try {
    await orAborted(over, signal);
  } finally {
    clearTimeout(timer);
  }
}
