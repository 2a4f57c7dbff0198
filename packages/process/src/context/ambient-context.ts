import { AsyncLocalStorage } from 'node:async_hooks';

/** Request and trace of the current work, for log lines, spans and calls to peers. No decision depends on it. */
export type AmbientContext = {
  readonly requestId: string;
  /** Valid W3C `traceparent`, checked before the context is entered. */
  readonly traceparent?: string | undefined;
};

// One storage per process, intentionally: it is empty outside `withContext`, and holds no settings.
const storage = new AsyncLocalStorage<AmbientContext>();

export function withContext<Result>(context: AmbientContext, work: () => Result): Result {
  return storage.run(context, work);
}

export function currentContext(): AmbientContext | undefined {
  return storage.getStore();
}
