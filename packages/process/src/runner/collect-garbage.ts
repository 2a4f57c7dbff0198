import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/**
 * Collects all garbage at once and gives the memory back, which stops this thread for some 50 ms: for the end of a
 * start. What a start leaves behind (sources, what built the schemas) is a third of the heap, and a service at rest
 * makes so little garbage that V8 would keep it for hours.
 */
export function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  // The flag adds the function to contexts made from now on, never to those that run our code.
  const collect: NodeJS.GCFunction = runInNewContext('gc');
  collect({ type: 'major', flavor: 'last-resort', execution: 'sync' });
  setFlagsFromString('--no-expose-gc');
}
