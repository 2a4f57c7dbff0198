import { runDoctor, testGround } from '@rubrica/testkit';
import { expect, it } from 'vitest';

it('the doctor names what other services have not provisioned', async () => {
  const provisioned = { file: new URL('../src/provision.ts', import.meta.url) };
  await using ground = await testGround('intake', { provisioned });
  const found = await runDoctor(new URL('../src/doctor.ts', import.meta.url), ground.env);
  const faults = found.verdicts.filter((verdict) => !verdict.startsWith('ok '));
  expect(faults).toEqual(['fault jetstream']);
  for (const subject of ['jobs.certificate', 'jobs.webhook', 'jobs.mail', 'jobs.sms'])
    expect(found.text).toContain(`${subject}.doctor: `);
  expect(found.text).not.toContain('jobs.validation.doctor');
  expect(found.text).toContain('Run provisioning of intake, generation, notifier');
  expect(found.code).toBe(1);
});
