import { EventEmitter } from 'node:events';
import { expect, test } from 'vitest';
import { listenForStop } from './signals.ts';

function listening() {
  const emitter = new EventEmitter();
  const clock = { now: 0 };
  const heard: string[] = [];
  const requests = listenForStop(emitter as unknown as NodeJS.Process, () => clock.now);
  void requests.first.then(() => heard.push('first'));
  void requests.second.then(() => heard.push('second'));
  const send = async (signal: string, at: number) => {
    clock.now = at;
    emitter.emit(signal);
    await Promise.resolve();
    return [...heard];
  };
  return send;
}

test('one Ctrl-C that arrives twice, from the terminal and from npm, is one request', async () => {
  const send = listening();
  expect(await send('SIGINT', 0)).toEqual(['first']);
  expect(await send('SIGINT', 40)).toEqual(['first']);
});

test('a second signal later on means: at once', async () => {
  const send = listening();
  await send('SIGTERM', 0);
  expect(await send('SIGINT', 2_000)).toEqual(['first', 'second']);
});
