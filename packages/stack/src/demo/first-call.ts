import { type Call, startReceiver } from '../webhooks/receiver.ts';

export interface FirstCall {
  readonly url: string;
  /** Resolves with the first call; rejects when none arrives before the deadline. */
  receive(deadlineMs: number): Promise<Call>;
  close(): Promise<void>;
}

/** Starts a webhook receiver that answers 204 to every call and stores the first. */
export async function awaitFirstCall(): Promise<FirstCall> {
  const first = Promise.withResolvers<Call>();
  const { url, close } = await startReceiver({
    port: 0,
    onCall(call, response) {
      response.writeHead(204).end();
      first.resolve(call);
    },
  });
  return {
    url,
    close,
    async receive(deadlineMs) {
      const signal = AbortSignal.timeout(deadlineMs);
      signal.addEventListener('abort', () =>
        first.reject(new Error(`No webhook came within ${deadlineMs / 1_000} seconds.`)),
      );
      return first.promise;
    },
  };
}
