import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { StackInfo } from '@rubrica/stack';
import type { TestPartner } from '@rubrica/testkit';
import { Client } from 'pg';
import { bareTables, dropBareTables } from '../bare/rows.ts';
import { startBare } from '../bare/start-bare.ts';
import { sendLoad } from '../load/order.ts';
import type { BenchPlan } from '../options.ts';
import type { Section } from '../record/figures.ts';
import { readBodyOfLine, registrationPath } from '../request-cost.ts';
import { median, percentile } from '../statistics.ts';
import { awaitFinished } from '../until-finished.ts';

const connections = 32;

interface Round {
  readonly perSecond: number;
  readonly p95Ms: number;
}

/** Measures both in alternating rounds, so that other work of the machine affects both. */
export async function measureRegistrations(context: {
  info: StackInfo;
  partner: TestPartner;
  folder: string;
  plan: BenchPlan;
}): Promise<Section> {
  const { info, partner, folder, plan } = context;
  const database = new Client({ connectionString: info.databaseUrl });
  await database.connect();
  await database.query(bareTables);
  await using bare = await startBare(info.databaseUrl);
  const bodyFile = join(folder, 'registration.json');
  await writeFile(bodyFile, JSON.stringify(readBodyOfLine('registration', partner)));
  const token = await partner.rest.token();
  const round = async (name: string, baseUrl: string, durationMs: number): Promise<Round> => {
    const order = {
      url: `${baseUrl}${registrationPath}`,
      token,
      bodyFile,
      connections,
      durationMs,
      referencePrefix: name,
    };
    const result = await sendLoad(order);
    if (result.refused > 0)
      throw new Error(`${name}: ${result.refused} refused, such as ${result.refusals[0]}`);
    // Background work of a round must not slow the next one.
    await awaitFinished(database);
    return {
      perSecond: result.accepted / (result.elapsedMs / 1_000),
      p95Ms: percentile(result.latenciesMs, 0.95),
    };
  };
  // Services run for weeks: both sides are measured after the compiler has optimized their code.
  await round('warm-bare', bare.url, plan.warmMs);
  await round('warm-ours', info.baseUrl, plan.warmMs);
  const rounds: { ours: Round; bare: Round }[] = [];
  for (let index = 0; index < plan.rounds; index += 1) {
    const bareRound = await round(`bare-${index}`, bare.url, plan.roundMs);
    rounds.push({ bare: bareRound, ours: await round(`ours-${index}`, info.baseUrl, plan.roundMs) });
  }
  await database.query(dropBareTables);
  await database.end();
  return createSection(rounds);
}

function createSection(rounds: readonly { ours: Round; bare: Round }[]): Section {
  const [ours, bare] = [rounds.map((round) => round.ours), rounds.map((round) => round.bare)];
  const rate = (of: readonly Round[]) => median(of.map(({ perSecond }) => perSecond));
  const each = (of: readonly Round[]) => of.map(({ perSecond }) => Math.round(perSecond)).join(' ');
  const p95 = (of: readonly Round[]) => `p95 ${median(of.map(({ p95Ms }) => p95Ms)).toFixed(0)} ms`;
  const ratio = rate(ours) / rate(bare);
  const rows = [
    { what: 'Rubrica', value: `${rate(ours).toFixed(0)}/s`, note: `rounds ${each(ours)}; ${p95(ours)}` },
    {
      what: 'bare Fastify, zod, pg',
      value: `${rate(bare).toFixed(0)}/s`,
      note: `rounds ${each(bare)}; ${p95(bare)}`,
    },
    { what: 'ratio', value: ratio.toFixed(2), note: 'aim ≥ 0.60' },
  ];
  return { rows, figures: [{ key: 'registrations', value: `${rate(ours).toFixed(0)}/s`, ratio }] };
}
