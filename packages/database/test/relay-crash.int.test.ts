import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { scratchDirectory } from '@rubrica/testkit';
import { expect, test } from 'vitest';
import { fixture, until } from './support/fixture.ts';
import { recorder } from './support/recorder.ts';
import { emitEach, numbered, relayCopy, unpublished } from './support/relays.ts';

function crashingRelay(args: string[], crashpoints: string): { child: ChildProcess; ids: string[] } {
  const ids: string[] = [];
  const child = fork(join(import.meta.dirname, 'support', 'crashing-relay.ts'), args, {
    env: { ...process.env, CRASHPOINT_DIR: crashpoints },
    execArgv: [],
  });
  child.on('message', ({ id }: { id: string }) => ids.push(id));
  return { child, ids };
}

test('after a crash between publish and mark the same messages go out again under the same ids', async () => {
  await using shared = await fixture();
  await using crashpoints = await scratchDirectory('crashpoints');
  const database = shared.open();
  await emitEach(database, numbered('m', 10));
  await writeFile(join(crashpoints.path, 'relay-after-publish-before-mark'), '');

  const { child, ids } = crashingRelay([shared.service.appUrl, shared.service.schema], crashpoints.path);
  const [, signal] = await once(child, 'exit');
  expect(signal).toBe('SIGKILL');
  expect(ids).toEqual(numbered('m', 10));
  expect(await unpublished(database)).toBe(10);

  const bus = recorder();
  await using _copy = relayCopy(shared, bus.publish);
  await until(
    () => unpublished(database),
    (count) => count === 0,
  );
  expect(bus.ids()).toEqual(ids);
});
