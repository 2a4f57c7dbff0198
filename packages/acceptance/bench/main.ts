import { arch, availableParallelism, cpus, platform, release, totalmem } from 'node:os';
import { startPartner } from '@rubrica/testkit';
import { stackHome } from '@rubrica/testkit/stack-home';
import { fullPool } from './key-pool.ts';
import { type BenchPlan, readCommand, usage } from './options.ts';
import { oneKeyTime } from './raw-keys.ts';
import { measureCertificates } from './sections/certificates.ts';
import { measureMemory } from './sections/memory.ts';
import { measureRegisterToWebhook } from './sections/register-to-webhook.ts';
import { measureRegistrations } from './sections/registrations.ts';
import { measureTimeToReady } from './sections/time-to-ready.ts';
import { startWithNpm } from './stack-process.ts';
import { formatSection, type Row } from './table.ts';

const say = (text: string) => process.stdout.write(`${text}\n`);
const section = (title: string, rows: readonly Row[]) => say(formatSection(title, rows));

const command = readCommand(process.argv.slice(2));
if (command.kind === 'help') say(usage);
else if (command.kind === 'run') await run(command.plan);
else {
  process.stderr.write(`${command.message}\n\n${usage}`);
  process.exitCode = 2;
}

async function run(plan: BenchPlan): Promise<void> {
  say(`${machine()}\n`);
  await using place = await stackHome('bench');
  // Alone, before anything else runs: the yardstick of the latency below.
  const oneKey = await oneKeyTime(60);
  section('Time to ready', await measureTimeToReady(place.home, plan));
  await using stack = await startWithNpm(place.home);
  const { info } = stack;
  await place.remember(info.databaseUrl);
  await using partner = await startPartner({ baseUrl: info.baseUrl, partner: info.partners.sandbox });
  const pooledKeys = await fullPool(info);
  section('Resident memory, idle', await measureMemory(info));
  section(
    'Register to webhook, 1 in flight',
    await measureRegisterToWebhook({ info, partner, plan, oneKey }),
  );
  section(
    'Registrations per second, 32 connections, 40 kB evidence',
    await measureRegistrations({ info, partner, folder: place.folder, plan }),
  );
  section('Certificates per second', await measureCertificates({ info, partner, pooledKeys, plan }));
}

function machine(): string {
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
