import { arch, availableParallelism, cpus, platform, release, totalmem } from 'node:os';
import { startPartner } from '@rubrica/testkit';
import { stackHome } from '@rubrica/testkit/stack-home';
import { fullPool } from './key-pool.ts';
import { type BenchCommand, type BenchPlan, readCommand, usage } from './options.ts';
import { oneKeyTime } from './raw-keys.ts';
import { type Figure, figureRow, type Section } from './record/figures.ts';
import { fallen, loadKept, record } from './record/recorded-table.ts';
import { measureCertificates } from './sections/certificates.ts';
import { measureCpuCost } from './sections/cpu-cost.ts';
import { measureMemory } from './sections/memory.ts';
import { measureRegisterToWebhook } from './sections/register-to-webhook.ts';
import { measureRegistrations } from './sections/registrations.ts';
import { measureStatus } from './sections/status.ts';
import { measureTimeToReady } from './sections/time-to-ready.ts';
import { startWithNpm } from './stack-process.ts';
import { runStored } from './stored/run-stored.ts';
import { formatSection } from './table.ts';

const say = (text: string) => process.stdout.write(`${text}\n`);

const command = readCommand(process.argv.slice(2));
if (command.kind === 'help') say(usage);
else if (command.kind === 'refused') {
  process.stderr.write(`${command.message}\n\n${usage}`);
  process.exitCode = 2;
} else {
  say(`${describeMachine()}\n`);
  if (!(await measure(command))) process.exitCode = 1;
}

function measure(of: Exclude<BenchCommand, { kind: 'help' | 'refused' }>): Promise<boolean> {
  return of.kind === 'stored' ? runStored(of.options, say) : run(of);
}

async function run({ plan, isRecord }: { plan: BenchPlan; isRecord: boolean }): Promise<boolean> {
  // Before the measurements: an unreadable file would otherwise be reported after ten minutes.
  const recorded = await loadKept();
  const figures = await measureAll(plan);
  say(
    formatSection(
      'All figures',
      figures.map((figure) => figureRow(figure, recorded.get(figure.key))),
    ),
  );
  if (isRecord) {
    await record(figures);
    return true;
  }
  const worse = fallen(figures, recorded);
  for (const { key, ratio } of worse)
    say(`${key} has fallen by more than a fifth: ${ratio.toFixed(3)} after ${recorded.get(key)?.toFixed(3)}`);
  return worse.length === 0;
}

async function measureAll(plan: BenchPlan): Promise<Figure[]> {
  const figures: Figure[] = [];
  const section = (title: string, { rows, figures: found }: Section) => {
    say(formatSection(title, rows));
    figures.push(...found);
  };
  await using place = await stackHome('bench');
  // Alone, before all other work: the baseline of the latency below.
  const oneKey = await oneKeyTime(60);
  say(formatSection('Time to ready', await measureTimeToReady(place.home, plan)));
  await using stack = await startWithNpm(place.home);
  const { info } = stack;
  await place.remember(info.databaseUrl);
  await using partner = await startPartner({ baseUrl: info.baseUrl, partner: info.partners.sandbox });
  const pooledKeys = await fullPool(info);
  const context = { info, home: place.home, folder: place.folder, partner, plan };
  section('Resident memory, idle', await measureMemory(info));
  section('Register to webhook, 1 in flight', await measureRegisterToWebhook({ ...context, oneKey }));
  section('Registrations per second, 32 connections, 40 kB evidence', await measureRegistrations(context));
  section('Status queries per second, 32 connections', await measureStatus(context));
  section('Certificates per second', await measureCertificates({ ...context, pooledKeys }));
  section('CPU of one request, all processes', await measureCpuCost(context));
  return figures;
}

function describeMachine(): string {
  const [cpu] = cpus();
  const memory = `${Math.round(totalmem() / 1e9)} GB`;
  return [
    `Node ${process.version}`,
    `${availableParallelism()} × ${cpu?.model.trim()}`,
    memory,
    platform(),
    release(),
    arch(),
  ].join(', ');
}
