import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startPartner } from '@rubrica/testkit';
import { stackHome } from '@rubrica/testkit/stack-home';
import { Client } from 'pg';
import { operatorActor } from '../../e2e/support/operator-actor.ts';
import { readCpu, totalOf, usedBetween } from '../cpu.ts';
import { sendLoad } from '../load/order.ts';
import { bodyOf, registrationPath } from '../request-cost.ts';
import { startWithNpm } from '../stack-process.ts';
import { formatSection } from '../table.ts';
import { untilFinished } from '../until-finished.ts';

export interface QuotaOptions {
  readonly rounds: number;
  readonly durationMs: number;
}

const connections = 32;
/** Never reached: every registration takes one and none is refused. */
const quota = { TRADITIONAL_SIGNATURE: 1_000_000 };
const leastShare = 0.9;

interface Load {
  readonly rate: number;
  /** Of a registration, over all processes of the stack. */
  readonly cpuMs: number;
}

interface Round {
  readonly without: Load;
  readonly under: Load;
}

/**
 * What a quota costs its partner: registrations a second of one partner, with a quota and without, in turn and each first
 * in every second round.
 * @returns whether the share is what it should be
 */
export async function runQuota(
  { rounds, durationMs }: QuotaOptions,
  say: (text: string) => void,
): Promise<boolean> {
  await using place = await stackHome('bench-quota');
  await using stack = await startWithNpm(place.home);
  const { info } = stack;
  await place.remember(info.databaseUrl);
  await using partner = await startPartner({ baseUrl: info.baseUrl, partner: info.partners.sandbox });
  await using owned = new AsyncDisposableStack();
  const database = new Client({ connectionString: info.databaseUrl });
  await database.connect();
  owned.defer(() => database.end());
  const { rows } = await database.query<{ id: string }>(
    'select id from intake.partner where client_id = $1',
    [info.partners.sandbox.clientId],
  );
  const id = rows[0]?.id ?? '';
  const admin = await operatorActor(info, 'admin');
  const bodyFile = join(place.folder, 'body.json');
  await writeFile(bodyFile, JSON.stringify(bodyOf('registration', partner)));

  const measure = async (name: string, setting: typeof quota | object): Promise<Load> => {
    await admin.call('partners.update', { id, quota: setting });
    const token = await partner.rest.token();
    const url = info.baseUrl + registrationPath;
    const load = { url, token, bodyFile, connections, durationMs, referencePrefix: name };
    const before = await readCpu(place.home);
    const { accepted, refused, refusals, elapsedMs } = await sendLoad(load);
    const used = usedBetween(before, await readCpu(place.home));
    if (refused > 0) throw new Error(`${refused} refused, such as ${refusals[0]}`);
    await untilFinished(database);
    return { rate: accepted / (elapsedMs / 1000), cpuMs: totalOf(used) / accepted };
  };
  await measure('warm-w', {});
  await measure('warm-u', quota);
  const seen: Round[] = [];
  for (let index = 0; index < rounds; index += 1) {
    if (index % 2 === 0) {
      const without = await measure(`w${index}`, {});
      seen.push({ without, under: await measure(`u${index}`, quota) });
    } else {
      const under = await measure(`u${index}`, quota);
      seen.push({ without: await measure(`w${index}`, {}), under });
    }
  }
  return told(seen, say);
}

function told(seen: readonly Round[], say: (text: string) => void): boolean {
  const sum = (figure: (round: Round) => number) => seen.reduce((all, one) => all + figure(one), 0);
  // Of all rounds together: on a machine that others use single rounds differ by half.
  const share = sum(({ under }) => under.rate) / sum(({ without }) => without.rate);
  const cpu = sum(({ under }) => under.cpuMs) / sum(({ without }) => without.cpuMs);
  const row = (what: string, kind: keyof Round) => ({
    what,
    value: `${(sum((round) => round[kind].rate) / seen.length).toFixed(0)}/s`,
    note: `${(sum((round) => round[kind].cpuMs) / seen.length).toFixed(2)} ms of CPU each; rounds ${seen.map((round) => round[kind].rate.toFixed(0)).join(' ')}`,
  });
  say(
    formatSection('Registrations of one partner with a quota and without, 32 connections, 40 kB evidence', [
      row('without a quota', 'without'),
      row('with a quota', 'under'),
      { what: 'ratio', value: share.toFixed(2), note: `aim ≥ ${leastShare}; of CPU ${cpu.toFixed(2)}` },
    ]),
  );
  return share >= leastShare;
}
