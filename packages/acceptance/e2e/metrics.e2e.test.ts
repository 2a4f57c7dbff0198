import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { MetricRow } from '@rubrica/contracts/metrics/metric-row';
import { metricRows } from '@rubrica/contracts/metrics/metrics';
import { services } from '@rubrica/contracts/shared/enumerations';
import { expect, it } from 'vitest';
import { closeAfterAll, joinScene } from './support/scene.ts';
import { projectRoot } from './support/shell.ts';

const scene = await closeAfterAll(joinScene());
const { sandbox } = scene.partners;
const { reference } = await sandbox.accepted();
await sandbox.hears(reference, 'certificate.issued');
const asked = Object.entries(scene.stack.info().metrics).map(
  async ([program, url]) => [program, await (await fetch(url)).text()] as const,
);
const pages = new Map(await Promise.all(asked));
const exposed = [...pages.values()].join('');

const deployed = (folder: string, ending: string) =>
  readdirSync(join(projectRoot, 'deploy', folder))
    .filter((file) => file.endsWith(ending) && !file.includes('.test.'))
    .map((file) => readFileSync(join(projectRoot, 'deploy', folder, file), 'utf8'))
    .join('\n');

const table: [string, MetricRow][] = Object.entries(metricRows);
/** With what a histogram's samples are called. */
const sampleNames = new Set(
  table.flatMap(([name, { type }]) =>
    type === 'histogram' ? ['_bucket', '_sum', '_count'].map((suffix) => `${name}${suffix}`) : [name],
  ),
);

const ours = /\brubrica_[a-z_]+|\bprocess_[a-z_]+/g;

it('each program exposes what the table of metrics says of it, and nothing else', () => {
  for (const [program, page] of pages) {
    const types = [...page.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name, type]) => `${name} ${type}`);
    const said = table
      .filter(([, { services, unless }]) => services.includes(program) && unless !== 'sandbox')
      .map(([name, { type }]) => `${name} ${type}`);
    expect({ program, metrics: types.toSorted() }).toEqual({ program, metrics: said.toSorted() });
  }
  expect([...pages.keys()]).toEqual(expect.arrayContaining([...services]));
});

it('samples have the labels of the table, and no others', () => {
  const wrong = new Set<string>();
  for (const [, name = '', labels = ''] of exposed.matchAll(/^([a-z_]+)\{(.*)\} \S+$/gm)) {
    const row = table.find(([of]) => of === name || of === name.replace(/_(bucket|sum|count)$/, ''))?.[1];
    const found = [...labels.matchAll(/(?:^|,)([a-z_]+)="/g)].map(([, label]) => label);
    const bucket = name.endsWith('_bucket') ? ['le'] : [];
    const expected = ['service', ...(row?.labels ?? []), ...bucket];
    if (String(found.toSorted()) !== String(expected.toSorted()))
      wrong.add(`${name} has ${found}, not ${expected}`);
  }
  expect([...wrong]).toEqual([]);
});

it('boards and alerts name only metrics of the table', () => {
  const named = new Set([
    ...(deployed('grafana', '.json').match(ours) ?? []),
    ...(deployed('alerts', '.yaml').match(ours) ?? []),
  ]);
  expect([...named].filter((name) => !sampleNames.has(name))).toEqual([]);
  expect(named.size).toBeGreaterThan(25);
});

it('boards and alerts ask by labels that these metrics have', () => {
  const asked = `${deployed('grafana', '.json')}\n${deployed('alerts', '.yaml')}`;
  const wrong: string[] = [];
  for (const [, name = '', matchers = ''] of asked.matchAll(/\b((?:rubrica|process)_[a-z_]+)\{([^}]*)\}/g)) {
    const row = table.find(([of]) => of === name || of === name.replace(/_(bucket|sum|count)$/, ''))?.[1];
    for (const [, label = ''] of matchers.matchAll(/([a-z_]+)(?==~|!~|!=|=)/g))
      if (!['service', 'le', 'job', 'instance', ...(row?.labels ?? [])].includes(label))
        wrong.push(`${name}{${label}}`);
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
