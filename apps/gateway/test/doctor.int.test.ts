import { runDoctor, testGround } from '@rubrica/testkit';
import { expect, it } from 'vitest';

it('the doctor says what to do where intake is away and has provisioned nothing', async () => {
  await using ground = await testGround('gateway');
  const found = await runDoctor(new URL('../src/main.ts', import.meta.url), { ...ground.env, PORT: '0' });
  expect(found.verdicts).toEqual([
    'ok settings',
    'ok bus',
    'ok bus rights',
    'fault intake',
    'ok streams',
    'fault jetstream',
    'ok keys',
  ]);
  expect(found.text).toContain('Look whether intake is ready');
  expect(found.text).toContain('Run provisioning of intake (node main.mjs provision)');
  expect(found.code).toBe(1);
});
