import { AppError } from '@rubrica/process/errors';
import { uuidv7 } from '@rubrica/process/time';
import { describe, expect, it } from 'vitest';
import { notifierGround } from './support/ground.ts';
import { startApplicantMessages, token } from './support/messages.ts';

const ground = notifierGround();

const setUp = () => startApplicantMessages(ground);

const messageIdOf = (source: string | undefined) => /^Message-ID: (.*)$/im.exec(source ?? '')?.[1]?.trim();

describe('a claim mail', () => {
  it('is sent once, in both forms, from and to the right addresses', async () => {
    await using notifier = await setUp();
    const id = await notifier.addMessage();
    await Promise.all([notifier.service.receive(id), notifier.service.receive(id)]);
    await expect.poll(async () => (await notifier.message(id)).state).toBe('SENT');
    await notifier.service.receive(id);
    expect(notifier.smtp.mails.length).toBe(1);
    const [mail] = notifier.smtp.mails;
    expect(mail?.to).toBe('jane@mail.com');
    expect(mail?.source).toMatch(/^From: Rubrica <no-reply@rubrica.example>$/m);
    expect(mail?.source).toMatch(/^Auto-Submitted: auto-generated$/m);
    expect(mail?.source).toContain('multipart/alternative');
    expect(messageIdOf(mail?.source)).toBe(`<${id}@rubrica.example>`);
    expect(await notifier.message(id)).toMatchObject({ attempts: 1, recipient_masked: 'j***@m***.com' });
  });

  it('that is on file has nothing left to do when its job comes again and intake does not know it', async () => {
    await using notifier = await setUp();
    const id = await notifier.addMessage();
    await notifier.service.receive(id);
    await expect.poll(async () => (await notifier.message(id)).state).toBe('SENT');
    notifier.onAsked(() => {
      throw new AppError({ code: 'REQUEST_NOT_FOUND' });
    });
    await notifier.service.receive(id);
    const unknown = notifier.service.receive(uuidv7());
    await expect(unknown).rejects.toMatchObject({ code: 'REQUEST_NOT_FOUND' });
  });

  it('leaves neither link nor address in the ledger', async () => {
    await using notifier = await setUp();
    const id = await notifier.addMessage();
    await notifier.service.receive(id);
    await expect.poll(async () => (await notifier.message(id)).state).toBe('SENT');
    const row = JSON.stringify(await notifier.message(id));
    for (const secret of [token, 'jane@mail.com', 'Ñúñez']) expect(row).not.toContain(secret);
  });

  it.each([
    ['a temporary refusal of the recipient', 'RCPT', '450 greylisted'],
    ['a full mailbox for now', 'CONTENT', '452 come back'],
    ['a connection that drops at the content', 'DATA', null],
  ] as const)('is sent again after %s, under the same Message-ID', async (_, on, reply) => {
    await using notifier = await setUp();
    notifier.smtp.faults.push({ on, reply });
    const id = await notifier.addMessage();
    await notifier.service.receive(id);
    await expect.poll(async () => (await notifier.message(id)).attempts).toBe(1);
    expect(await notifier.message(id)).toMatchObject({ state: 'PENDING' });
    await notifier.hurry(id);
    await expect.poll(async () => (await notifier.message(id)).state).toBe('SENT');
    expect(notifier.smtp.mails.map(({ source }) => messageIdOf(source))).toEqual([`<${id}@rubrica.example>`]);
  });

  it('may come twice, under one Message-ID, when the connection drops after the content', async () => {
    await using notifier = await setUp();
    notifier.smtp.faults.push({ on: 'CONTENT', reply: null });
    const id = await notifier.addMessage();
    await notifier.service.receive(id);
    await expect.poll(async () => (await notifier.message(id)).attempts).toBe(1);
    await notifier.hurry(id);
    await expect.poll(async () => (await notifier.message(id)).state).toBe('SENT');
    const ids = notifier.smtp.mails.map(({ source }) => messageIdOf(source));
    expect(ids).toEqual([`<${id}@rubrica.example>`, `<${id}@rubrica.example>`]);
  });

  it('fails for good when the server refuses the recipient for good', async () => {
    await using notifier = await setUp();
    notifier.smtp.faults.push({ on: 'RCPT', reply: '550 5.1.1 <jane@mail.com> unknown' });
    const id = await notifier.addMessage();
    await notifier.service.receive(id);
    await expect.poll(async () => (await notifier.message(id)).state).toBe('FAILED');
    expect((await notifier.message(id)).last_error).toBe(
      'the mail server refused the recipient (550 5.1.1, no such mailbox)',
    );
  });

  it('is not sent once a newer one has taken its place', async () => {
    await using notifier = await setUp();
    notifier.smtp.faults.push({ on: 'MAIL', reply: '421 not now' });
    const id = await notifier.addMessage();
    await notifier.service.receive(id);
    await expect.poll(async () => (await notifier.message(id)).attempts).toBe(1);
    await notifier.addMessage({ ...notifier.messages.get(id), sealedSecret: null });
    await notifier.hurry(id);
    await expect.poll(async () => (await notifier.message(id)).state).toBe('SUPERSEDED');
    expect(notifier.smtp.mails).toEqual([]);
  });

  it.each([
    ["a partner's webhook secret", 'webhook-secret', 'own'],
    ['the code of the same request', 'claim-code', 'own'],
    ['the link of another request', 'claim-link', 'another'],
  ] as const)('is not written with %s that was put in the place of its link', async (_, purpose, whose) => {
    await using notifier = await setUp();
    const keyring = await ground.keys.keyring('notifier');
    const requestId = uuidv7();
    const owner = whose === 'own' ? requestId : uuidv7();
    const sealedSecret = await keyring.sealTo('notifier', 'whsec_of_somewhere_else', { purpose, owner });
    const id = await notifier.addMessage({ requestId, sealedSecret });
    await notifier.service.receive(id);
    await expect.poll(async () => (await notifier.message(id)).attempts).toBe(1);
    expect(await notifier.message(id)).toMatchObject({
      state: 'PENDING',
      last_error: 'the message could not be prepared',
    });
    expect(notifier.smtp.mails).toEqual([]);
  });

  it.each([
    ['claim', 'claim-link', 'Your signature was stolen. Call 0999'],
    ['claim-code', 'claim-code', 'CALL 0999: 123456'],
    ['claim-code', 'claim-code', '1234567'],
  ] as const)(
    'by the template %s is not sent with a text in place of its %s: %s',
    async (template, purpose, text) => {
      await using notifier = await setUp();
      const keyring = await ground.keys.keyring('notifier');
      const requestId = uuidv7();
      const sealedSecret = await keyring.sealTo('notifier', text, { purpose, owner: requestId });
      const id = await notifier.addMessage({ requestId, template, sealedSecret });
      await notifier.service.receive(id);
      await expect.poll(async () => (await notifier.message(id)).state).toBe('FAILED');
      expect(await notifier.message(id)).toMatchObject({
        last_error: 'what is sealed for it is neither a code nor a token',
      });
      expect(notifier.smtp.mails).toEqual([]);
    },
  );

  it('waits while intake is away', async () => {
    await using notifier = await setUp();
    notifier.smtp.faults.push({ on: 'MAIL', reply: '421 not now' });
    const id = await notifier.addMessage();
    await notifier.service.receive(id);
    await expect.poll(async () => (await notifier.message(id)).attempts).toBe(1);
    const known = notifier.messages.get(id);
    notifier.messages.delete(id);
    await notifier.hurry(id);
    await expect.poll(async () => (await notifier.message(id)).attempts).toBe(2);
    expect(await notifier.message(id)).toMatchObject({
      state: 'PENDING',
      last_error: 'the message could not be prepared',
    });
    if (known !== undefined) notifier.messages.set(id, known);
    await notifier.hurry(id);
    await expect.poll(async () => (await notifier.message(id)).state).toBe('SENT');
  });

  it.each(['jane@mail.com, x@y.z', 'jane@mail.com>\r\nRCPT TO:<x@y.z', 'jane@mail.com\r\nBcc: x@y.z'])(
    'goes to nobody when the address is %j',
    async (to) => {
      await using notifier = await setUp();
      const id = await notifier.addMessage({ to });
      await notifier.service.receive(id);
      await expect.poll(async () => (await notifier.message(id)).state).toBe('FAILED');
      expect((await notifier.message(id)).last_error).toBe('the recipient is no e-mail address');
      expect(notifier.smtp.commands).toEqual([]);
    },
  );

  it('gains no header through a name', async () => {
    await using notifier = await setUp();
    const hostile = 'Jane\r\nBcc: x@y.z\r\n\r\nhello';
    const id = await notifier.addMessage({ applicantName: hostile, partnerName: hostile });
    await notifier.service.receive(id);
    await expect.poll(async () => (await notifier.message(id)).state).toBe('SENT');
    const source = notifier.smtp.mails[0]?.source ?? '';
    expect(source.slice(0, source.indexOf('\r\n\r\n'))).not.toMatch(/^Bcc:/im);
    expect(notifier.smtp.commands.filter((command) => command.startsWith('RCPT'))).toEqual([
      'RCPT TO:<jane@mail.com>',
    ]);
  });
});

describe('a reminder of the end of a certificate', () => {
  const certificate = { subscriberName: 'María José Ñúñez', serialNumber: '0A1B2C', daysLeft: 5 };
  const ending = { expiresAt: new Date(Date.now() + 5 * 86_400_000).toISOString(), certificate };

  it('is sent without a link, which it does not have', async () => {
    await using notifier = await setUp();
    const id = await notifier.addMessage({ template: 'end-reminder', ...ending, sealedSecret: null });
    await notifier.service.receive(id);
    await expect.poll(async () => (await notifier.message(id)).state).toBe('SENT');
    expect(notifier.smtp.mails).toHaveLength(1);
  });

  it('is not sent once its certificate was revoked, renewed or has ended', async () => {
    await using notifier = await setUp();
    const overtaken = { certificate: undefined, expiresAt: null, sealedSecret: null };
    for (const template of ['end-reminder', 'renewal-reminder'] as const) {
      const id = await notifier.addMessage({ template, ...overtaken });
      await notifier.service.receive(id);
      await expect.poll(async () => (await notifier.message(id)).state).toBe('SUPERSEDED');
    }
    expect(notifier.smtp.mails).toEqual([]);
  });
});

describe('many letters at once', () => {
  /** More than connections, fewer than are held ready. */
  const many = 24;

  it('are asked of intake once each', async () => {
    const asked: string[] = [];
    await using notifier = await setUp();
    const ids = await Promise.all(
      Array.from({ length: many }, () => notifier.addMessage({ template: 'claim-reminder' })),
    );
    notifier.onAsked((id) => asked.push(id));
    await Promise.all(ids.map((id) => notifier.service.receive(id)));
    await expect.poll(() => notifier.smtp.mails.length).toBe(many);
    expect(asked.toSorted()).toEqual(ids.toSorted());
  });

  it('let a claim mail go before those that wait for a connection', async () => {
    await using notifier = await setUp();
    notifier.smtp.hold('DATA');
    for (let index = 0; index < many; index += 1)
      await notifier.service.receive(await notifier.addMessage({ template: 'claim-reminder' }));
    await expect.poll(() => notifier.smtp.held()).toBe(2);
    await notifier.service.receive(await notifier.addMessage({ to: 'claim@mail.com' }));
    notifier.smtp.hold(undefined);
    notifier.smtp.letGo();
    await expect.poll(() => notifier.smtp.mails.length).toBeGreaterThan(many - 2);
    const place = notifier.smtp.mails.findIndex(({ to }) => to === 'claim@mail.com');
    expect(place).toBeGreaterThanOrEqual(0);
    expect(place).toBeLessThan(4);
  });
});
