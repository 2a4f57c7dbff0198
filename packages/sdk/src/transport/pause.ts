/** @throws the reason of the signal, at once when it aborts */
export async function pause(ms: number, signal?: AbortSignal): Promise<void> {
  signal?.throwIfAborted();
  const { promise, resolve, reject } = deferred();
  const abort = () => reject(signal?.reason);
  const timer = setTimeout(resolve, ms);
  signal?.addEventListener('abort', abort, { once: true });
  try {
    await promise;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', abort);
  }
}

/** `Promise.withResolvers`, which Node.js 20 has not. */
function deferred() {
  let resolve: () => void = () => {};
  let reject: (reason: unknown) => void = () => {};
  const promise = new Promise<void>((onResolve, onReject) => {
    resolve = onResolve;
    reject = onReject;
  });
  return { promise, resolve, reject };
}
