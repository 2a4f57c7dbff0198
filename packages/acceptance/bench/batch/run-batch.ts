import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startPartner } from '@rubrica/testkit';
import { stackHome } from '@rubrica/testkit/stack-home';
import { Client } from 'pg';
import { sendLoad } from '../load/order.ts';
import { residentMegabytes } from '../memory.ts';
import { bodyOf, registrationPath } from '../request-cost.ts';
import { startWithNpm } from '../stack-process.ts';
import { median, percentile } from '../statistics.ts';
import { formatSection } from '../table.ts';
import { untilFinished } from '../until-finished.ts';
import { sendBatch } from './order.ts';

export interface BatchOptions {
  readonly rounds: number;
  readonly durationMs: number;
}

const connections = 32;
const batchPath = '/collector/linked-partner/batch';
/** Registrations of another caller, one after the other: what they wait is what a batch costs others. */
const others = 1;
const leastGain = 1.2;
const mostSlower = 2;

interface Round {
  readonly single: number;
  readonly batch: number;
  /** p99 of another caller beside the single calls, and beside the batch. */
  readonly besideSingle: number;
  readonly besideBatch: number;
  readonly megabytes: number;
}

/**
 * What a batch brings and what it costs others: registrations a second by one batch and by single calls in turn, the p99 of
 * another caller beside each, and the gateway's memory.
 * @returns whether both are within what they should be
 */
export async function runBatch(
  { rounds, durationMs }: BatchOptions,
  say: (text: string) => void,
): Promise<boolean> {
  await using place = await stackHome('bench-batch');
  await using stack = await startWithNpm(place.home);
  const { info } = stack;
  await place.remember(info.databaseUrl);
  await using partner = await startPartner({ baseUrl: info.baseUrl, partner: info.partners.sandbox });
  await using other = await startPartner({ baseUrl: info.baseUrl, partner: info.partners.other });
  await using owned = new AsyncDisposableStack();
  const database = new Client({ connectionString: info.databaseUrl });
  await database.connect();
  owned.defer(() => database.end());
  const bodyFile = join(place.folder, 'line.json');
  await writeFile(bodyFile, JSON.stringify(bodyOf('registration', partner)));
  const otherFile = join(place.folder, 'other.json');
  await writeFile(otherFile, JSON.stringify(bodyOf('registration', other)));

  const single = async (name: string) => {
    const url = info.baseUrl + registrationPath;
    const token = await partner.rest.token();
    return sendLoad({ url, token, bodyFile, connections, durationMs, referencePrefix: name });
  };
  const batch = async (name: string) => {
    const url = info.baseUrl + batchPath;
    const token = await partner.rest.token();
    return sendBatch({ url, token, bodyFile, durationMs, lines: 10_000, referencePrefix: name });
  };
  const loadOfOther = async (name: string) => {
    const url = info.baseUrl + registrationPath;
    const token = await other.rest.token();
    const load = { url, token, bodyFile: otherFile, connections: others, durationMs, referencePrefix: name };
    return sendLoad(load);
  };
  const measure = async (name: string, load: typeof single | typeof batch) => {
    const alone = await load(`${name}-a`);
    if (alone.refused > 0) throw new Error(`${alone.refused} refused, such as ${alone.refusals[0]}`);
    await untilFinished(database);
    const [, { latenciesMs }] = await Promise.all([load(`${name}-b`), loadOfOther(`${name}-o`)]);
    await untilFinished(database);
    return { rate: alone.accepted / (alone.elapsedMs / 1000), p99: percentile(latenciesMs, 0.99) };
  };
  const { pid } = info.services.gateway;
  await measure('warm-s', single);
  await measure('warm-b', batch);
  const seen: Round[] = [];
  for (let index = 0; index < rounds; index += 1) {
    const bySingle = await measure(`s${index}`, single);
    const byBatch = await measure(`b${index}`, batch);
    seen.push({
      single: bySingle.rate,
      batch: byBatch.rate,
      besideSingle: bySingle.p99,
      besideBatch: byBatch.p99,
      megabytes: await residentMegabytes(pid),
    });
  }
  return told(seen, say);
}

function told(seen: readonly Round[], say: (text: string) => void): boolean {
  const of = (figure: (round: Round) => number) => median(seen.map(figure));
  const each = (figure: (round: Round) => number) => seen.map((one) => figure(one).toFixed(0)).join(' ');
  const gain = of(({ batch, single }) => batch / single);
  const slower = of(({ besideBatch, besideSingle }) => besideBatch / besideSingle);
  const row = (what: string, unit: string, figure: (round: Round) => number) => ({
    what,
    value: `${of(figure).toFixed(0)}${unit}`,
    note: `rounds ${each(figure)}`,
  });
  say(
    formatSection('Registrations by one batch and by single calls, 32 connections, 40 kB evidence', [
      row('single calls', '/s', ({ single }) => single),
      row('one batch', '/s', ({ batch }) => batch),
      { what: 'ratio', value: gain.toFixed(2), note: `aim ≥ ${leastGain}` },
      row('p99 of another caller beside single calls', ' ms', ({ besideSingle }) => besideSingle),
      row('p99 of another caller beside a batch', ' ms', ({ besideBatch }) => besideBatch),
      { what: 'ratio', value: slower.toFixed(2), note: `aim ≤ ${mostSlower}` },
      row('gateway’s memory after it', ' MB', ({ megabytes }) => megabytes),
    ]),
  );
  return gain >= leastGain && slower <= mostSlower;
}
