import { describe, expect, it } from 'vitest';
import { createApplicantMessageStore } from '../src/applicant-messages/applicant-message.store.ts';
import { toLane } from '../src/applicant-messages/message-lane.ts';
import { createResendApplicantMessage } from '../src/applicant-messages/resend-applicant-message.ts';
import { noSmsSender } from '../src/sms/sms-sender.ts';
import { callBy } from './support/calls.ts';
import { notifierGround } from './support/ground.ts';
import { type ApplicantMessagesOptions, code, startApplicantMessages } from './support/messages.ts';

const ground = notifierGround();

const setUp = (options: Partial<ApplicantMessagesOptions> = {}) =>
  startApplicantMessages({ ...ground, ...options });
type ApplicantMessageQueues = Awaited<ReturnType<typeof setUp>>;

const reaches = (messages: ApplicantMessageQueues, id: string, state: string) =>
  expect.poll(async () => (await messages.message(id)).state).toBe(state);
const attempted = (messages: ApplicantMessageQueues, id: string, times: number) =>
  expect.poll(async () => (await messages.message(id)).attempts).toBe(times);

describe('a code by SMS', () => {
  it('is posted once, with the bearer token and the id of the message as idempotency key', async () => {
    await using messages = await setUp();
    const id = await messages.addCode();
    await Promise.all([messages.service.receive(id), messages.service.receive(id)]);
    await reaches(messages, id, 'SENT');
    await messages.service.receive(id);
    expect(messages.provider.calls.length).toBe(1);
    const [call] = messages.provider.calls;
    expect(call?.headers).toMatchObject({
      authorization: 'Bearer sms-token',
      'idempotency-key': id,
      'content-type': 'application/json',
    });
    expect(call?.body).toEqual({ id, to: '+593991234123', text: expect.stringContaining(code) });
    expect(messages.smtp.commands).toEqual([]);
  });

  it('leaves neither code nor number in the ledger', async () => {
    await using messages = await setUp();
    const id = await messages.addCode();
    await messages.service.receive(id);
    await reaches(messages, id, 'SENT');
    const row = await messages.message(id);
    expect(row).toMatchObject({ channel: 'sms', template: 'claim-code', recipient_masked: '+593*****123' });
    expect(row.partner_id).toBe(messages.messages.get(id)?.partnerId);
    for (const secret of [code, '991234']) {
      expect(JSON.stringify({ ...row, id: '', request_id: '', partner_id: '' })).not.toContain(secret);
    }
  });

  it.each([
    ['a provider that hangs', () => undefined, 'the SMS provider could not be reached (no answer in time)'],
    [
      'a fault of the provider',
      (response) => response.writeHead(500).end('oops'),
      'the SMS provider did not take the message (500)',
    ],
    [
      'a time-out that the provider tells of',
      (response) => response.writeHead(408).end(),
      'the SMS provider did not take the message (408)',
    ],
    [
      'a redirect, which is not followed',
      (response) => response.writeHead(307, { location: 'http://127.0.0.1:9/' }).end(),
      'the SMS provider did not take the message (307)',
    ],
    [
      'a broken connection',
      (response) => response.destroy(),
      'the SMS provider could not be reached (ECONNRESET)',
    ],
    [
      'headers without end',
      (response) => response.writeHead(202, { x: 'x'.repeat(64 * 1024) }).end(),
      'the SMS provider could not be reached (HPE_HEADER_OVERFLOW)',
    ],
  ] satisfies [string, ApplicantMessageQueues['provider']['faults'][number], string][])(
    'is tried again, under the same key, after %s',
    async (_, fault, error) => {
      await using messages = await setUp();
      messages.provider.faults.push(fault);
      const id = await messages.addCode();
      await messages.service.receive(id);
      await attempted(messages, id, 1);
      expect(await messages.message(id)).toMatchObject({ state: 'PENDING', last_error: error });
      await messages.hurry(id);
      await reaches(messages, id, 'SENT');
      expect(messages.provider.calls.map(({ headers }) => headers['idempotency-key'])).toEqual([id, id]);
    },
  );

  it('is sent once where the provider answers 100 and 103 first', async () => {
    await using messages = await setUp();
    messages.provider.faults.push((response) => {
      response.writeContinue();
      response.writeEarlyHints({ link: '</style.css>; rel=preload' }, () => response.writeHead(202).end());
    });
    const id = await messages.addCode();
    await messages.service.receive(id);
    await reaches(messages, id, 'SENT');
    expect(messages.provider.calls.length).toBe(1);
  });

  it('is tried again within seconds by itself', async () => {
    await using messages = await setUp();
    messages.provider.faults.push((response) => response.writeHead(503).end());
    const id = await messages.addCode();
    await messages.service.receive(id);
    await reaches(messages, id, 'SENT');
    expect(messages.provider.calls.length).toBe(2);
  });

  it.each([400, 401, 404, 410, 422])('fails for good when the provider answers %i', async (status) => {
    await using messages = await setUp();
    messages.provider.faults.push((response) =>
      response.writeHead(status).end(`{"error":"+593991234123 is barred"}`),
    );
    const id = await messages.addCode();
    await messages.service.receive(id);
    await reaches(messages, id, 'FAILED');
    expect((await messages.message(id)).last_error).toBe(`the SMS provider refused the message (${status})`);
  });

  it('counts as sent once the provider said so, however long the rest of its answer', async () => {
    await using messages = await setUp();
    messages.provider.faults.push(
      (response) => response.writeHead(202).end('x'.repeat(5_000_000)),
      (response) => void response.writeHead(202).write('{'),
    );
    const ids = [await messages.addCode(), await messages.addCode()];
    for (const id of ids) {
      await messages.service.receive(id);
      await reaches(messages, id, 'SENT');
    }
  });

  it('waits as long as the provider asks for, but not longer than a code makes sense', async () => {
    await using messages = await setUp();
    const waits: unknown[] = [];
    for (const retryAfter of ['30', '86400']) {
      messages.provider.faults.push((response) =>
        response.writeHead(429, { 'retry-after': retryAfter }).end(),
      );
      const id = await messages.addCode();
      await messages.service.receive(id);
      await attempted(messages, id, 1);
      waits.push(messages.attempts.find((attempt) => attempt.id === id)?.retryAfterMs);
    }
    const [asked, bounded] = waits as [number, number];
    expect(asked).toBeGreaterThanOrEqual(30_000);
    expect(asked).toBeLessThanOrEqual(36_000);
    expect(bounded).toBeGreaterThanOrEqual(60_000);
    expect(bounded).toBeLessThanOrEqual(72_000);
  });

  it('is dropped, not sent, once it has expired', async () => {
    await using messages = await setUp();
    messages.provider.faults.push((response) => response.writeHead(503).end());
    const id = await messages.addCode();
    await messages.service.receive(id);
    await attempted(messages, id, 1);
    await messages.addCode({ messageId: id, expiresAt: new Date(Date.now() - 1).toISOString() });
    await messages.hurry(id);
    await reaches(messages, id, 'SUPERSEDED');
    expect((await messages.message(id)).last_error).toBe('it had expired before it could be sent');
    expect(messages.provider.calls.length).toBe(1);
  });

  it('is dropped when a newer code has taken its place', async () => {
    await using messages = await setUp();
    const id = await messages.addCode({ sealedSecret: null });
    await messages.service.receive(id);
    await reaches(messages, id, 'SUPERSEDED');
    expect(messages.provider.calls).toEqual([]);
  });

  it.each(['0991234123', '+593 99 123 4123', 'jane@mail.com', '+5939912341239999', '+593991234123\n'])(
    'goes to nobody when the number is %j',
    async (to) => {
      await using messages = await setUp();
      const id = await messages.addCode({ to });
      await messages.service.receive(id);
      await reaches(messages, id, 'FAILED');
      expect((await messages.message(id)).last_error).toBe('the recipient is no telephone number');
      expect(messages.provider.calls).toEqual([]);
    },
  );

  it('never carries a link, whatever it is asked to carry', async () => {
    await using messages = await setUp();
    const id = await messages.addMessage({ channel: 'sms', to: '+593991234123' });
    await messages.service.receive(id);
    await reaches(messages, id, 'FAILED');
    expect((await messages.message(id)).last_error).toBe('this message has no form for SMS');
    expect(messages.provider.calls).toEqual([]);
  });

  it('is new to the provider when an operator sends it again', async () => {
    await using messages = await setUp();
    const id = await messages.addCode();
    await messages.service.receive(id);
    await reaches(messages, id, 'SENT');
    const deps = { database: messages.database, nudgeMessages: messages.service.nudge };
    const operator = { kind: 'operator', operatorId: id, email: 'a@rubrica.example', role: 'admin' } as const;
    await createResendApplicantMessage(deps)({ id }, callBy(operator));
    await reaches(messages, id, 'SENT');
    const keys = messages.provider.calls.map(({ headers }) => headers['idempotency-key']);
    expect(keys).toEqual([id, `${id}-1`]);
  });

  it('fails plainly where no provider is set', async () => {
    await using messages = await setUp({ overrides: { sms: { sender: noSmsSender, concurrency: 2 } } });
    const id = await messages.addCode();
    await messages.service.receive(id);
    await reaches(messages, id, 'FAILED');
    expect(await messages.message(id)).toMatchObject({
      attempts: 1,
      last_error: 'no SMS provider is configured',
    });
  });

  it('goes to the second e-mail where that is asked for, as a mail with the code and no link', async () => {
    await using messages = await setUp();
    const id = await messages.addCode({ channel: 'email', to: 'second@mail.com' });
    await messages.service.receive(id);
    await reaches(messages, id, 'SENT');
    const [mail] = messages.smtp.mails;
    expect(mail?.to).toBe('second@mail.com');
    expect(mail?.source).toContain(code);
    expect(mail?.source).not.toMatch(/https?:\/\//);
  });
});

describe('what is sent at once', () => {
  it('does not wait for letters that a mail server keeps hanging', async () => {
    await using messages = await setUp();
    // All connections for letters, and more letters behind them, held at the greeting of the mail.
    messages.smtp.hold('MAIL');
    for (let i = 0; i < 6; i++) await messages.service.receive(await messages.addMessage());
    await expect.poll(() => messages.smtp.held()).toBe(2);
    messages.smtp.hold(undefined);
    const ids = [
      await messages.addCode(),
      await messages.addCode({ channel: 'email', to: 'second@mail.com' }),
    ];
    for (const id of ids) await messages.service.receive(id);
    for (const id of ids) await reaches(messages, id, 'SENT');
    expect(messages.smtp.held()).toBe(2);
    messages.smtp.letGo();
  });

  it('goes round the templates, so that a thousand reminders do not hold up a claim mail', async () => {
    await using messages = await setUp();
    await messages.service.stop();
    await messages.database.execute(
      `insert into message (id, request_id, channel, template, recipient_masked, state, due_at)
       select gen_random_uuid(), gen_random_uuid(), 'email', template, 'x', 'PENDING', now() - age
       from (select 'claim-reminder' as template, interval '1 hour' as age from generate_series(1, 1000)
             union all select 'claim', interval '1 second') as waiting`,
    );
    const store = createApplicantMessageStore({
      database: messages.database,
      channel: 'email',
      templates: ['claim', 'claim-reminder', 'certificate-ready'],
    });
    const claim = () =>
      store.leaseDue({ limit: 4, perDestination: 4, left: [], perPartner: 4, partners: [], leaseMs: 60_000 });
    const claimed: string[] = [];
    // The order is drawn anew by each claim: to lose thirty times in a row is one in a thousand million.
    for (let i = 0; i < 30; i++) claimed.push(...(await claim()).map(({ destination }) => destination));
    expect(claimed.length).toBeLessThanOrEqual(120);
    expect(claimed).toContain(toLane(undefined, 'claim').destination);
  });
});
