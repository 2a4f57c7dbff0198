import type { ServiceName } from '@rubrica/contracts/shared/enumerations';
import { startPartner } from '@rubrica/testkit';
import { stackHome } from '@rubrica/testkit/stack-home';
import { Client } from 'pg';
import { readChildren } from '../cpu.ts';
import { startWithNpm } from '../stack-process.ts';
import { formatSection, type Row } from '../table.ts';
import { cpuQuota } from './cpu-quota.ts';
import { finishedPerSecond, type Work } from './finished-per-second.ts';
import { measureLimits } from './limits.ts';

/**
 * What bounds each service alone, and the share of a core that one copy of it gets: so little that four copies and all
 * that they give to do to others fit into two cores; and how many requests for each copy.
 */
const limited = [
  { service: 'intake', work: 'registration', share: 0.15, requests: 600 },
  { service: 'generation', work: 'certificate', share: 0.25, requests: 50 },
  { service: 'notifier', work: 'error', share: 0.06, requests: 600 },
] as const satisfies readonly { service: ServiceName; work: Work; share: number; requests: number }[];

/** Before, with no limit: what is measured is code that the compiler has seen. */
const warmUps: Readonly<Record<Work, number>> = { registration: 5, certificate: 1, error: 3 };
const numbersOfCopies = [1, 2, 4] as const;
const leastShare = 0.8;

type Limited = (typeof limited)[number]['service'];

/**
 * Rates by number of copies, where each copy has so much of a core and no more.
 * @param part of the requests, for a quicker run
 * @returns whether all grow with the copies
 */
export async function runCopies(part: number, say: (text: string) => void): Promise<boolean> {
  const rates = new Map<Limited, number[]>(limited.map(({ service }) => [service, []]));
  for (const copies of numbersOfCopies) {
    say(`Measuring with ${copies} of each`);
    for (const [service, rate] of await measureStack(copies, part, say)) rates.get(service)?.push(rate);
  }
  say('');
  const rows = limited.map((each) => rowOf(each, rates.get(each.service) ?? []));
  say(formatSection(`Finished per second with ${numbersOfCopies.join(', ')} copies`, rows));
  return [...rates.values()].every((found) => linearity(found, 1) >= leastShare);
}

async function measureStack(
  copies: number,
  part: number,
  say: (text: string) => void,
): Promise<[Limited, number][]> {
  await using owned = new AsyncDisposableStack();
  const place = owned.use(await stackHome('bench-copies'));
  const names = limited.map(({ service }) => `${service}=${copies}`).join(',');
  const { info } = owned.use(
    await startWithNpm(place.home, {
      args: ['--copies', names],
      // A pool would answer for a while what the copies cannot make.
      env: { KEY_POOL_SIZE: '0' },
    }),
  );
  await place.remember(info.databaseUrl);
  const client = new Client({ connectionString: info.databaseUrl });
  await client.connect();
  owned.defer(() => client.end());
  const partner = owned.use(await startPartner({ baseUrl: info.baseUrl, partner: info.partners.sandbox }));
  const context = { info, client, partner, folder: place.folder };
  if (copies === 1)
    say(
      formatSection(
        'Limits of the machine, with nothing else to do',
        await measureLimits(info, place.folder),
      ),
    );
  const found: [Limited, number][] = [];
  for (const { service, work, share, requests } of limited) {
    const count = Math.ceil(requests * copies * part);
    await finishedPerSecond(work, count * warmUps[work], context);
    await using quotas = new AsyncDisposableStack();
    for (const { name, pid } of await readChildren(place.home)) {
      if (!name.startsWith(service)) continue;
      const quota = quotas.use(await cpuQuota(name, share));
      await quota.add(pid);
    }
    const rate = await finishedPerSecond(work, count, context);
    say(`  ${service}: ${rate.toFixed(1)}/s`);
    found.push([service, rate]);
  }
  return found;
}

function rowOf({ service, work, share }: (typeof limited)[number], rates: readonly number[]): Row {
  const linear = rates.map((_, index) => linearity(rates, index).toFixed(2));
  return {
    what: `${service}, ${work}`,
    value: rates.map((rate) => rate.toFixed(1)).join('  '),
    note: `${share} of a core each; of what as many times one would do: ${linear.join('  ')}; aim ≥ ${leastShare} for two`,
  };
}

/** What so many copies did, of what as many times the first one would have done. */
function linearity(rates: readonly number[], index: number): number {
  const [one = Number.NaN] = rates;
  return (rates[index] ?? Number.NaN) / (one * (numbersOfCopies[index] ?? Number.NaN));
}
