import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pollFor, startPartner } from '@rubrica/testkit';
import { stackHome } from '@rubrica/testkit/stack-home';
import { Client } from 'pg';
import { sendLoad } from '../load/order.ts';
import { bodyOf, registrationPath } from '../request-cost.ts';
import { startWithNpm } from '../stack-process.ts';
import { median } from '../statistics.ts';
import { formatSection } from '../table.ts';
import { untilFinished } from '../until-finished.ts';
import { countReminders, fillReminders, holdReminders } from './fill-reminders.ts';

export interface RemindersOptions {
  /** Due at once. */
  readonly due: number;
  readonly rounds: number;
  readonly durationMs: number;
}

const connections = 32;
const leastRatio = 0.9;
const mostMinutes = 60;

interface Round {
  readonly without: number;
  readonly meanwhile: number;
  /** Mails a second that the mail server took meanwhile. */
  readonly mails: number;
}

/**
 * Registrations a second without and beside reminders that are due at once, in turn, and how long all of them take at the
 * rate that was seen. @returns whether both are within what they should be
 */
export async function runReminders(
  { due, rounds, durationMs }: RemindersOptions,
  say: (text: string) => void,
): Promise<boolean> {
  await using place = await stackHome('bench-reminders');
  await using stack = await startWithNpm(place.home);
  const { info } = stack;
  await place.remember(info.databaseUrl);
  await using partner = await startPartner({ baseUrl: info.baseUrl, partner: info.partners.sandbox });
  await using owned = new AsyncDisposableStack();
  const database = new Client({ connectionString: info.databaseUrl });
  await database.connect();
  owned.defer(() => database.end());
  const bodyFile = join(place.folder, 'registration.json');
  await writeFile(bodyFile, JSON.stringify(bodyOf('registration', partner)));

  const registrations = async (referencePrefix: string): Promise<number> => {
    const url = info.baseUrl + registrationPath;
    const token = await partner.rest.token();
    const load = await sendLoad({ url, token, bodyFile, connections, durationMs, referencePrefix });
    if (load.refused > 0) throw new Error(`${load.refused} refused, such as ${load.refusals[0]}`);
    return load.accepted / (load.elapsedMs / 1_000);
  };
  const alone = async (name: string) => {
    const rate = await registrations(name);
    await untilFinished(database);
    return rate;
  };
  const withReminders = async (name: string) => {
    const [before, startedAt] = [await countReminders(database), performance.now()];
    await holdReminders(database, false);
    const rate = await registrations(name);
    const seconds = (performance.now() - startedAt) / 1_000;
    const mails = ((await countReminders(database)).sent - before.sent) / seconds;
    await holdReminders(database, true);
    await untilSent(database);
    await untilFinished(database);
    return { rate, mails };
  };

  const { sent } = await partner.register();
  await partner.event(sent.referenceTransaction);
  await alone('warm');
  await holdReminders(database, true);
  const fillingAt = performance.now();
  await fillReminders(database, due);
  say(`  ${due} reminders due, filled in ${((performance.now() - fillingAt) / 1_000).toFixed(0)} s`);
  await withReminders('warm-b');
  const seen: Round[] = [];
  for (let index = 0; index < rounds; index += 1) {
    const without = await alone(`a${index}`);
    const { rate, mails } = await withReminders(`b${index}`);
    seen.push({ without, meanwhile: rate, mails });
  }
  return told(seen, due, say);
}

/** What was written is with the mail server. */
function untilSent(database: Client): Promise<unknown> {
  const isSent = async () => {
    const { written, sent } = await countReminders(database);
    return sent >= written;
  };
  return pollFor(isSent, { deadlineMs: 120_000, everyMs: 200, what: 'the mails that were begun' });
}

function told(seen: readonly Round[], due: number, say: (text: string) => void): boolean {
  const of = (figure: (round: Round) => number) => median(seen.map(figure));
  const each = (figure: (round: Round) => number) => seen.map((one) => figure(one).toFixed(0)).join(' ');
  const ratio = of((round) => round.meanwhile / round.without);
  const mails = of((round) => round.mails);
  const minutes = due / mails / 60;
  const row = (what: string, figure: (round: Round) => number) => ({
    what,
    value: `${of(figure).toFixed(0)}/s`,
    note: `rounds ${each(figure)}`,
  });
  say(
    formatSection(`Registrations, 32 connections, beside ${due} reminders that are due at once`, [
      row('registrations without reminders', ({ without }) => without),
      row('registrations beside them', (round) => round.meanwhile),
      { what: 'ratio', value: ratio.toFixed(2), note: `aim ≥ ${leastRatio}` },
      row('reminders taken by the mail server meanwhile', (round) => round.mails),
      { what: 'all of them at that rate', value: `${minutes.toFixed(0)} min`, note: `aim ≤ ${mostMinutes}` },
    ]),
  );
  return ratio >= leastRatio && minutes <= mostMinutes;
}
