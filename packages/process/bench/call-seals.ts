import { mkdtempDisposable, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generateServiceKeys } from '../src/keyring/generate-keys.ts';
import { loadKeyring } from '../src/keyring/keyring.ts';

/**
 * Processor time of sealing and opening a call and its answer, both ends together, against writing and reading the same
 * bytes in clear: rounds alternate between sizes.
 */
const subject = 'rpc.v2.intake.gateway.requests.register';
const sizes = [300, 41_000];
const rounds = 9;

await using folder = await mkdtempDisposable(join(tmpdir(), 'rubrica-seals-'));
const names = ['gateway', 'intake'] as const;
const sets = names.map((name) => [name, generateServiceKeys(name)] as const);
const peersFile = join(folder.path, 'peers.json');
await writeFile(
  peersFile,
  JSON.stringify(Object.fromEntries(sets.map(([name, set]) => [name, set.publicJwks]))),
);
const sealsOf = async (name: (typeof names)[number]) => {
  const keysFile = join(folder.path, `${name}.json`);
  await writeFile(keysFile, JSON.stringify(sets.find(([one]) => one === name)?.[1].privateJwks));
  return (await loadKeyring({ keysFile, peersFile }, name)).openCallSeals({ nowMs: Date.now });
};
const [gateway, intake] = [await sealsOf('gateway'), await sealsOf('intake')];

function exchange(content: readonly Uint8Array[], answer: readonly Uint8Array[]): void {
  const call = gateway.sealCall(subject, content);
  const opened = intake.openCall(subject, call.bytes);
  if (opened.kind !== 'opened') throw new Error(opened.reason);
  if (call.openAnswer(opened.sealAnswer(answer)) === undefined) throw new Error('no answer');
}

/** In µs for each. */
function measure(times: number, work: () => void): number {
  const before = process.cpuUsage();
  for (let time = 0; time < times; time += 1) work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / times;
}

const answer = [Buffer.alloc(4), Buffer.alloc(200, 'a')];
const taken = new Map(sizes.map((size) => [size, [] as number[]]));
const works = sizes.map((size) => {
  const content = [Buffer.alloc(4), Buffer.alloc(180, 'h'), Buffer.alloc(size, 'b')];
  return { size, times: size > 1_000 ? 2_000 : 10_000, work: () => exchange(content, answer) };
});
for (const { times, work } of works) measure(times * 2, work);
for (let round = 0; round < rounds; round += 1)
  for (const { size, times, work } of works) taken.get(size)?.push(measure(times, work));
for (const [size, all] of taken) {
  const sorted = all.toSorted((a, b) => a - b);
  process.stdout.write(
    `body of ${size} bytes: ${sorted[0]?.toFixed(1)} µs at best, ${sorted[Math.floor(rounds / 2)]?.toFixed(1)} in the median, for call and answer, both ends\n`,
  );
}
