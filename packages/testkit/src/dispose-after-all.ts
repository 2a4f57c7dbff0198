import { afterAll, TestRunner } from 'vitest';

const patienceMs = 300_000;

/** Resources of each file. A stack disposes of all of them, also where one of them fails. */
const stacks = new WeakMap<object, AsyncDisposableStack>();

/**
 * Keeps a resource for a whole test file and disposes of it after the last test, the newest first. To be called at the top
 * of the file.
 * @throws Error when the resource is not ready within five minutes: the time limits of hooks do not hold there
 */
export async function disposeAfterAll<T extends AsyncDisposable>(resource: T | Promise<T>): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`not within ${patienceMs} ms`)), patienceMs);
  try {
    return stackOfFile().use(await Promise.race([resource, late]));
  } finally {
    clearTimeout(timer);
  }
}

function stackOfFile(): AsyncDisposableStack {
  const { file } = TestRunner.getCurrentSuite();
  const known = stacks.get(file);
  if (known !== undefined) return known;
  const stack = new AsyncDisposableStack();
  stacks.set(file, stack);
  afterAll(() => stack.disposeAsync());
  return stack;
}
