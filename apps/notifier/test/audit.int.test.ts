import { connectBus, createBusClient } from '@rubrica/bus';
import type { Caller } from '@rubrica/contracts/shared/caller';
import { uuidv7 } from '@rubrica/process/time';
import {
  auditColumnsToAdd,
  auditRights,
  disposeAfterAll,
  startTestService,
  tamperWithAudit,
  testGround,
} from '@rubrica/testkit';
import { fakeClient } from '@rubrica/testkit/fakes';
import type { OperatorRowsRouter } from '@rubrica/wiring';
import { expect, it } from 'vitest';
import { readConfig } from '../src/config.ts';
import { buildService } from '../src/service.ts';

const owned = await disposeAfterAll(new AsyncDisposableStack());
const requestId = uuidv7();

const ground = owned.use(
  await testGround('notifier', {
    env: { SMTP_URL: 'smtp://127.0.0.1:9', MAIL_FROM: 'no-reply@x.test' },
    provisioned: { main: new URL('../src/main.ts', import.meta.url) },
  }),
);
owned.use(await startTestService({ name: 'notifier', config: readConfig(ground.env), build: buildService }));
const gateway = await ground.peer('gateway');
const bus = owned.use(await connectBus(gateway));
const admin: Caller = {
  kind: 'operator',
  operatorId: uuidv7(),
  email: 'admin@rubrica.test',
  role: 'admin',
};
const operators = fakeClient(createBusClient<OperatorRowsRouter<'notifier'>>, bus, ['ops', 'notifier'], {
  self: 'gateway',
  keys: gateway.keys,
  caller: admin,
});

async function sentMail(): Promise<string> {
  const id = uuidv7();
  await ground.service.database.query(
    `insert into notifier.message (id, request_id, channel, template, recipient_masked, state, sent_at)
     values ($1, $2, 'email', 'claim', 'j***@m***.com', 'SENT', now())`,
    [id, requestId],
  );
  return id;
}

const verify = () => operators.audit.verify.query({ service: 'notifier' });

it('chains what operators had sent again, and names every row that was tampered with', async () => {
  const ids: string[] = [];
  for (let n = 1; n <= 5; n++) {
    const id = await sentMail();
    await operators.messages.resend.mutate({ id, reason: `lost ${n} times` });
    ids.unshift(id);
  }
  await expect.poll(async () => (await verify()).unchained).toBe(0);
  expect(await verify()).toMatchObject({ service: 'notifier', intact: true, rows: 6, end: 6, findings: [] });
  const { items } = await operators.audit.list.query({ service: 'notifier', requestId });
  expect(items.map(({ target }) => target)).toEqual(ids.map((id) => `message:${id}`));
  expect(items[0]).toMatchObject({
    service: 'notifier',
    actor: 'operator:admin@rubrica.test',
    action: 'messages.resend',
    reason: 'lost 5 times',
    requestId,
    sequence: 6,
  });
  const expected = await tamperWithAudit(ground.service);
  const { intact, findings } = await verify();
  expect(intact).toBe(false);
  expect(findings.map(({ kind, sequence }) => [kind, sequence])).toEqual(expected);
});

it('lets the running service add to its log, and neither change nor remove anything', async () => {
  expect(await auditRights(ground.service)).toEqual(['SELECT']);
  expect(await auditColumnsToAdd(ground.service)).toEqual([
    'action',
    'actor',
    'at',
    'by_owner',
    'details',
    'entry_id',
    'mac',
    'reason',
    'target',
  ]);
});
