import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

/** A process of the bench's own, so that what is measured does not share an event loop with what measures. */
export interface Part extends AsyncDisposable {
  /** Asks and waits for the answer; one question at a time. */
  ask<Answer>(question: unknown): Promise<Answer>;
}

export function startPart(
  file: string,
  args: readonly string[] = [],
  execArgv: readonly string[] = [],
): Part {
  const child: ChildProcess = fork(join(import.meta.dirname, file), args, { execArgv: [...execArgv] });
  return {
    async ask<Answer>(question: unknown) {
      const ended = new AbortController();
      const end = once(child, 'exit', { signal: ended.signal }).then(() => {
        throw new Error(`${file} ended`);
      });
      end.catch(() => undefined);
      const answer = once(child, 'message', { signal: ended.signal });
      child.send(question as object);
      try {
        const [value] = await Promise.race([answer, end]);
        return value as Answer;
      } finally {
        ended.abort();
      }
    },
    async [Symbol.asyncDispose]() {
      if (child.exitCode !== null) return;
      const gone = once(child, 'exit');
      child.disconnect();
      await gone;
    },
  };
}

/** In the part: answers each question, until the asking process is gone. */
export function answerQuestions(answer: (question: never) => Promise<unknown>): void {
  process.on('message', async (question) => process.send?.((await answer(question as never)) ?? null));
}

export function p99(times: readonly number[]): number {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? Number.NaN;
}
