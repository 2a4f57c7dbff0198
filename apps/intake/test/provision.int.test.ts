import { expect, it } from 'vitest';
import { changePartner } from './support/own-database.ts';
import { partnerIds, runningIntake } from './support/running-intake.ts';

const provisionFile = new URL('../src/provision.ts', import.meta.url);

it('provisioning says who is missing before anybody can be served, and nothing once they are there', async () => {
  await using intake = await runningIntake();
  const missing = async () => {
    const log = await intake.ground.provision(provisionFile, { env: { LOG_LEVEL: 'warn' } });
    const lines = log.split('\n').filter((line) => line !== '');
    const said = lines
      .map((line) => JSON.parse(line))
      .filter(({ message }) => message === 'nothing can be served yet');
    return said.map(({ reason }: { reason: string }) => reason.split(':')[0]);
  };
  const setAll = async (change: object) => {
    for (const id of Object.values(partnerIds)) await changePartner(intake.ground, id, change);
  };
  await intake.query('delete from intake.operator');
  await setAll({ enabled: false });
  expect(await missing()).toEqual(['no administrator', 'no partner']);
  await setAll({ enabled: true });
  expect(await missing()).toEqual(['no administrator']);
});
