import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { closeUntroubled, joinScene, type Scene } from './support/scene.ts';
import { projectRoot } from './support/shell.ts';

let scene: Scene;
let exposed: string;

beforeAll(async () => {
  scene = await joinScene();
  const { sandbox } = scene.partners;
  const { reference } = await sandbox.accepted();
  await sandbox.hears(reference, 'certificate.issued');
  const pages = Object.values(scene.stack.info().metrics).map(async (url) => (await fetch(url)).text());
  exposed = (await Promise.all(pages)).join('');
});
afterAll(() => closeUntroubled(scene));

const deployed = (folder: string, ending: string) =>
  readdirSync(join(projectRoot, 'deploy', folder))
    .filter((file) => file.endsWith(ending) && !file.includes('.test.'))
    .map((file) => readFileSync(join(projectRoot, 'deploy', folder, file), 'utf8'))
    .join('\n');

/** With what a histogram's samples are called. */
function namesIn(page: string): Set<string> {
  const types = [...page.matchAll(/^# TYPE (\S+) (\S+)$/gm)];
  return new Set(
    types.flatMap(([, name = '', type]) =>
      type === 'histogram' ? ['_bucket', '_sum', '_count'].map((suffix) => `${name}${suffix}`) : [name],
    ),
  );
}

const ours = /\brubrica_[a-z_]+|\bprocess_[a-z_]+/g;

it('boards and alerts name only metrics that the running services have', () => {
  const named = new Set([
    ...(deployed('grafana', '.json').match(ours) ?? []),
    ...(deployed('alerts', '.yaml').match(ours) ?? []),
  ]);
  // A sandbox answers in the place of registries: what counts calls to them is only in the source.
  const ofRegistries = readFileSync(join(projectRoot, 'apps/intake/src/outside/outside-metrics.ts'), 'utf8');
  const known = namesIn(exposed).union(new Set(ofRegistries.match(ours)));
  expect([...named].filter((name) => !known.has(name))).toEqual([]);
  expect(named.size).toBeGreaterThan(25);
});

it('boards and alerts ask by labels that these metrics have', () => {
  const asked = `${deployed('grafana', '.json')}\n${deployed('alerts', '.yaml')}`;
  const wrong: string[] = [];
  for (const [, name = '', matchers = ''] of asked.matchAll(/\b(rubrica_[a-z_]+)\{([^}]*)\}/g)) {
    const sample = exposed.split('\n').find((line) => line.startsWith(`${name}{`));
    // What has not happened yet has no sample: its labels are not to be seen here.
    if (sample === undefined) continue;
    for (const [, label] of matchers.matchAll(/([a-z_]+)(?==~|!~|!=|=)/g))
      if (!sample.includes(`${label}="`)) wrong.push(`${name}{${label}}`);
  }
  expect(wrong).toEqual([]);
});

it('has one prefix for all metrics but those of every process', () => {
  const names = [...exposed.matchAll(/^# TYPE (\S+) /gm)].map(([, name = '']) => name);
  expect(names.filter((name) => !/^(rubrica|process)_/.test(name))).toEqual([]);
});

it('is exposed as promtool wants it', async ({ skip }) => {
  for (const url of Object.values(scene.stack.info().metrics)) {
    const child = spawn('promtool', ['check', 'metrics'], { stdio: ['pipe', 'ignore', 'pipe'] });
    const started = await Promise.race([once(child, 'spawn').then(() => true), once(child, 'error')]);
    if (started !== true) return skip('promtool is not installed (apt-get install prometheus)');
    child.stdin.end(await (await fetch(url)).text());
    const [complaints, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
    expect({ url, complaints, code }).toEqual({ url, complaints: '', code: 0 });
  }
});
