import { setTimeout as delay } from 'node:timers/promises';
import type { Check, CheckGroup } from './check.ts';

/** Connections that nobody takes end by time limits of their own, which are shorter. */
const longestMs = 20_000;

/** Looks at everything, a line for each check. @returns whether all is well */
export async function examine(groups: readonly CheckGroup[], out: (line: string) => void): Promise<boolean> {
  let isWell = true;
  for (const group of groups) {
    let isBroken = false;
    for (const check of group) {
      if (isBroken) {
        out(line('-', check.name, 'not looked at'));
        continue;
      }
      isBroken = !(await lookAt(check, out));
    }
    if (isBroken) isWell = false;
  }
  return isWell;
}

async function lookAt({ name, look, remedy }: Check, out: (line: string) => void): Promise<boolean> {
  const patience = new AbortController();
  try {
    const late = delay(longestMs, undefined, { signal: patience.signal }).then(() => {
      throw new Error(`nothing within ${longestMs / 1_000} s`);
    });
    out(line('ok', name, await Promise.race([look(), late])));
    return true;
  } catch (error) {
    out(line('fault', name, `${reasonOf(error)}. ${remedy}`));
    return false;
  } finally {
    patience.abort();
  }
}

export function line(verdict: 'ok' | 'fault' | '-', name: string, text: string): string {
  return `${verdict.padEnd(5)}  ${name.padEnd(10)}  ${text.replaceAll('\n', ' ')}`;
}

/** Of a connection that was tried at several addresses Node says it in the parts alone. */
function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.message === '') return error.errors.map(reasonOf).join(', ');
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause instanceof Error ? `: ${error.cause.message}` : '';
  return `${error.message}${cause}`.replace(/\.$/, '');
}
