import { setTimeout as delay } from 'node:timers/promises';
import type { Check, CheckGroup } from './check.ts';

/** Connections that are not accepted end by their own, shorter time limits. */
const maxMs = 20_000;

/**
 * Runs all checks, with a line for each.
 * @returns true if all pass
 */
export async function examine(groups: readonly CheckGroup[], out: (line: string) => void): Promise<boolean> {
  let isWell = true;
  for (const group of groups) {
    let isBroken = false;
    for (const check of group) {
      if (isBroken) {
        out(line('-', check.name, 'not looked at'));
        continue;
      }
      isBroken = !(await runCheck(check, out));
    }
    if (isBroken) isWell = false;
  }
  return isWell;
}

async function runCheck({ name, look, remedy }: Check, out: (line: string) => void): Promise<boolean> {
  const patience = new AbortController();
  try {
    const late = delay(maxMs, undefined, { signal: patience.signal }).then(() => {
      throw new Error(`nothing within ${maxMs / 1_000} s`);
    });
    out(line('ok', name, await Promise.race([look(), late])));
    return true;
  } catch (error) {
    out(line('fault', name, `${describeError(error)}. ${remedy}`));
    return false;
  } finally {
    patience.abort();
  }
}

export function line(verdict: 'ok' | 'fault' | '-', name: string, text: string): string {
  return `${verdict.padEnd(5)}  ${name.padEnd(10)}  ${text.replaceAll('\n', ' ')}`;
}

/** Describes an error. For a connection that was tried at several addresses Node describes only the parts. */
function describeError(error: unknown): string {
  if (error instanceof AggregateError && error.message === '')
    return error.errors.map(describeError).join(', ');
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause instanceof Error ? `: ${error.cause.message}` : '';
  return `${error.message}${cause}`.replace(/\.$/, '');
}
