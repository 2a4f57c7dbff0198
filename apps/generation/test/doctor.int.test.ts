import { runDoctor, testGround } from '@rubrica/testkit';
import { expect, it } from 'vitest';

it('the doctor finds all well but the streams of others, which are not provisioned', async () => {
  const provisioned = { main: new URL('../src/main.ts', import.meta.url) };
  await using ground = await testGround('generation', { provisioned });
  const found = await runDoctor(new URL('../src/main.ts', import.meta.url), ground.env);
  expect(found.verdicts.filter((verdict) => !verdict.startsWith('ok '))).toEqual(['fault jetstream']);
  expect(found.verdicts).toEqual(expect.arrayContaining(['ok migrations', 'ok bus rights', 'ok keys']));
  for (const subject of ['events.certificate', 'dlq.jobs.certificate'])
    expect(found.text).toContain(`${subject}.doctor: `);
  expect(found.text).toContain('Run provisioning of intake, generation');
  expect(found.code).toBe(1);
});
