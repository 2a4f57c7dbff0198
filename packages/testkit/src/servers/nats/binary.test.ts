import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { locateNatsServer } from './binary.ts';

let path: string;
let binDirectory: string;
beforeEach(async () => {
  path = await folder();
  binDirectory = await folder();
});

async function folder(): Promise<string> {
  const made = await mkdtemp(join(tmpdir(), 'rubrica-binary-'));
  onTestFinished(() => rm(made, { recursive: true, force: true }));
  return made;
}

/** A program that says which version it is. */
async function program(file: string, version: string): Promise<string> {
  await writeFile(file, `#!/bin/sh\necho "nats-server: v${version}"\n`, { mode: 0o755 });
  return file;
}

test.each(['2.10.27', '2.11.1', '2.12.3'])('nats-server %s of PATH is taken', async (version) => {
  await program(join(binDirectory, 'nats-server-2.10.27'), '2.10.27');
  const onPath = await program(join(path, 'nats-server'), version);
  expect(await locateNatsServer({ path, binDirectory })).toBe(onPath);
});

test.each(['2.9.10', '2.10.26', '2.11.0'])('%s of PATH gives way to 2.10.27', async (version) => {
  await program(join(path, 'nats-server'), version);
  const unpacked = await program(join(binDirectory, 'nats-server-2.10.27'), '2.10.27');
  expect(await locateNatsServer({ path, binDirectory })).toBe(unpacked);
});

test('an older one does where Debian’s archive gave none today: of PATH first, then of the distribution', async () => {
  await writeFile(join(binDirectory, 'nats-server-2.10.27.failed'), 'no network');
  const ofDistribution = await program(join(binDirectory, 'nats-server'), '2.9.10');
  expect(await locateNatsServer({ path, binDirectory })).toBe(ofDistribution);
  const onPath = await program(join(path, 'nats-server'), '2.9.10');
  expect(await locateNatsServer({ path, binDirectory })).toBe(onPath);
});
