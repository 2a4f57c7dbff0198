import { AsyncLocalStorage } from 'node:async_hooks';

/** What log lines, spans and calls to peers need to know of the work in hand. Nothing decides by it. */
export type AmbientContext = {
  readonly requestId: string;
  /** Valid W3C `traceparent`; whoever enters the context has checked it. */
  readonly traceparent?: string | undefined;
};

// The one storage per process is the point of it: it is empty outside `withContext`, and holds no settings.
const storage = new AsyncLocalStorage<AmbientContext>();

export function withContext<Result>(context: AmbientContext, work: () => Result): Result {
  return storage.run(context, work);
}

export function currentContext(): AmbientContext | undefined {
  return storage.getStore();
}
