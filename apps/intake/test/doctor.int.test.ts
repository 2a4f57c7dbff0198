import { runDoctor, testGround } from '@rubrica/testkit';
import { expect, it } from 'vitest';

it('the doctor names what other services have not provisioned, and a store of evidence that does not answer', async () => {
  const provisioned = { main: new URL('../src/main.ts', import.meta.url) };
  await using ground = await testGround('intake', { provisioned });
  const found = await runDoctor(new URL('../src/main.ts', import.meta.url), {
    ...ground.env,
    EVIDENCE_S3_BUCKET: 'evidence',
    EVIDENCE_S3_ENDPOINT: 'http://127.0.0.1:1',
    AWS_ACCESS_KEY_ID: 'x',
    AWS_SECRET_ACCESS_KEY: 'x',
  });
  const faults = found.verdicts.filter((verdict) => !verdict.startsWith('ok '));
  expect(faults).toEqual(['fault jetstream', 'fault evidence store']);
  for (const subject of ['jobs.certificate', 'jobs.webhook', 'jobs.mail', 'jobs.sms'])
    expect(found.text).toContain(`${subject}.doctor: `);
  expect(found.text).not.toContain('jobs.validation.doctor');
  expect(found.text).toContain('Run provisioning of intake, generation, notifier');
  expect(found.code).toBe(1);
});
