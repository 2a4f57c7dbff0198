import { tryAsSandbox } from '@rubrica/testkit';
import { expect, it } from 'vitest';

it('no sandbox is provisioned or served on a database that was not made as one', async () => {
  const { provisioning, service } = await tryAsSandbox('notifier', new URL('../src/', import.meta.url), {
    SMTP_URL: 'smtp://127.0.0.1:9',
    MAIL_FROM: 'a@example.org',
  });
  expect(provisioning.code).toBe(1);
  expect(provisioning.text).toContain('SANDBOX=true on a database that was not made as a sandbox');
  expect(service.code).toBe(1);
  expect(service.text).toContain('this database was not made as a sandbox: set SANDBOX=false');
});
