import { runDoctor, testGround } from '@rubrica/testkit';
import { expect, it } from 'vitest';

it('the doctor finds all well but the streams of others, which are not provisioned', async () => {
  const provisioned = { main: new URL('../src/main.ts', import.meta.url) };
  await using ground = await testGround('notifier', { provisioned });
  const mail = { SMTP_URL: 'smtp://127.0.0.1:1', MAIL_FROM: 'rubrica@rubrica.test' };
  const found = await runDoctor(new URL('../src/main.ts', import.meta.url), { ...ground.env, ...mail });
  expect(found.verdicts.filter((verdict) => !verdict.startsWith('ok '))).toEqual(['fault jetstream']);
  expect(found.verdicts).toEqual(expect.arrayContaining(['ok migrations', 'ok bus rights', 'ok keys']));
  for (const subject of ['dlq.jobs.webhook', 'dlq.jobs.mail', 'dlq.jobs.sms'])
    expect(found.text).toContain(`${subject}.doctor: `);
  expect(found.text).toContain('Run provisioning of intake, notifier');
  expect(found.code).toBe(1);
});
