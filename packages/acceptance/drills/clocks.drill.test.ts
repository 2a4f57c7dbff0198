import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ServiceName } from '@rubrica/contracts/shared/enumerations';
import { expect, it } from 'vitest';
import { queryStack } from '../e2e/support/ledger.ts';
import { until } from '../e2e/support/poll.ts';
import { type OwnScene, openScene } from '../e2e/support/scene.ts';
import { say } from './support/say.ts';
import { shiftedServices } from './support/shifted-services.ts';
import { drillUnderLoad } from './support/under-load.ts';

const hourMs = 3_600_000;
const twice: readonly ServiceName[] = ['intake', 'generation', 'notifier'];

it('one copy of each service is an hour off beside one that is right: nothing is lost, doubled or dated wrong', async () => {
  await using services = await shiftedServices();
  await using scene = await openScene({
    folders: services.folders,
    copies: { intake: 2, generation: 2, notifier: 2 },
  });
  const { stack } = scene;

  async function shiftSecondCopies(aheadMs: number): Promise<void> {
    for (const service of twice) {
      const before = (await complaints(service)).length;
      await services.shift(service, aheadMs);
      await stack.services[service].kill('SIGTERM', 1);
      await until(
        `${service} to find its clock wrong`,
        async () => (await complaints(service)).length > before || undefined,
      );
      await services.shift(service, 0);
    }
  }

  async function complaints(service: ServiceName): Promise<string[]> {
    const text = await readFile(join(stack.home, 'logs', `${service}-2.log`), 'utf8');
    return text.split('\n').filter((line) => line.includes('clock deviation detected'));
  }

  async function killRightCopies(): Promise<void> {
    await Promise.all(twice.map((service) => stack.services[service].kill('SIGKILL', 0)));
  }

  await drillUnderLoad(scene, {
    inFlight: 24,
    faults: [
      { what: 'second copies an hour ahead', happens: () => shiftSecondCopies(hourMs) },
      { what: 'the copies that are right are killed', happens: killRightCopies },
      { what: 'second copies an hour behind', happens: () => shiftSecondCopies(-hourMs) },
      { what: 'the copies that are right are killed again', happens: killRightCopies },
    ],
  });
  expect(await datedWrong(scene)).toEqual([]);
  say('no row and no certificate has the time of a wrong clock');
});

/** Columns that tell when something happened, with a time in them that is far from now. */
async function datedWrong({ stack }: OwnScene): Promise<string[]> {
  const columns = await queryStack<{ place: string; name: string }>(
    stack,
    `select format('%I.%I', table_schema, table_name) as place, quote_ident(column_name) as name
    from information_schema.columns join information_schema.tables using (table_schema, table_name)
    where table_type = 'BASE TABLE' and data_type = 'timestamp with time zone' and table_schema in ('intake', 'generation', 'notifier', 'terms')
      and column_name in ('at', 'created_at', 'updated_at', 'occurred_at', 'issued_at', 'not_before', 'finished_at', 'sent_at')`,
  );
  expect(columns.length).toBeGreaterThan(10);
  const wrong: string[] = [];
  for (const { place, name } of columns) {
    const rows = await queryStack<{ at: Date }>(
      stack,
      `select ${name} as at from ${place} where abs(extract(epoch from ${name} - now())) > 1800 limit 3`,
    );
    wrong.push(...rows.map(({ at }) => `${place}.${name}: ${at.toISOString()}`));
  }
  return wrong;
}
