import { type Call, startReceiver } from '../webhooks/receiver.ts';

export interface FirstCall {
  readonly url: string;
  /** The first call; rejects when none comes in time. */
  next(deadlineMs: number): Promise<Call>;
  close(): Promise<void>;
}

/** Answers 204 to every call and keeps the first. */
export async function awaitFirstCall(): Promise<FirstCall> {
  const first = Promise.withResolvers<Call>();
  const { url, close } = await startReceiver({
    port: 0,
    onCall(call, response) {
      response.writeHead(204).end();
      first.resolve(call);
    },
  });
  return { url, close, next: (deadlineMs) => withDeadline(first.promise, deadlineMs) };
}

async function withDeadline<T>(promise: Promise<T>, deadlineMs: number): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => late.reject(new Error(`No webhook came within ${deadlineMs / 1_000} seconds.`)),
    deadlineMs,
  );
  try {
    return await Promise.race([promise, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
