import { expect, it } from 'vitest';
import { runningIntake } from './support/running-intake.ts';

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
  await intake.query('delete from intake.operator');
  await intake.query('update intake.partner set enabled = false');
  expect(await missing()).toEqual(['no administrator', 'no partner']);
  await intake.query('update intake.partner set enabled = true');
  expect(await missing()).toEqual(['no administrator']);
});
