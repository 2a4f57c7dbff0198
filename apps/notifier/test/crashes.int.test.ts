import { MINUTE_MS } from '@rubrica/contracts/shared/durations';
import { uuidv7 } from '@rubrica/process/time';
import { disposeAfterAll } from '@rubrica/testkit';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { crashPoints as messagePoints } from '../src/applicant-messages/crash-points.ts';
import { crashPoints as deliveryPoints } from '../src/deliveries/crash-points.ts';
import { crashPoints as noticePoints } from '../src/destination-notices/crash-points.ts';
import { webhookSecret } from './support/notifier.ts';
import { startSurroundings } from './support/process.ts';
import { startReceiver } from './support/receiver.ts';

const surroundings = await disposeAfterAll(startSurroundings());

const stateOf = async (table: 'delivery' | 'message' | 'notice', id: string) => {
  const [row] = await surroundings.database.execute<{ state: string }>(
    `select state from ${table} where id = $1`,
    [id],
  );
  return row?.state;
};

describe('the service', () => {
  it('turns a job into a signed POST and stops cleanly', async () => {
    await using receiver = await startReceiver();
    await using notifier = surroundings.start();
    const id = await surroundings.addEvent({ url: receiver.url });
    await surroundings.publishEvent(id);
    await expect.poll(() => stateOf('delivery', id)).toBe('DELIVERED');
    const [call] = receiver.calls;
    const verified = new Webhook(webhookSecret).verify(
      call?.body ?? '',
      call?.headers as Record<string, string>,
    );
    expect(verified).toMatchObject({ serialNumber: '0A1B2C' });
    expect(await notifier.stop()).toBe(0);
  });

  it('puts a job of an unknown event among the dead letters and goes on', async () => {
    await using receiver = await startReceiver();
    await using _notifier = surroundings.start();
    const before = await surroundings.deadLetters();
    await surroundings.publishEvent(uuidv7());
    const id = await surroundings.addEvent({ url: receiver.url });
    await surroundings.publishEvent(id);
    await expect.poll(() => stateOf('delivery', id)).toBe('DELIVERED');
    await expect.poll(surroundings.deadLetters).toBe(before + 1);
  });

  it('puts a job whose id no dead letter can have among them too', async () => {
    await using _notifier = surroundings.start();
    const before = await surroundings.deadLetters();
    await surroundings.publishEvent(uuidv7(), 'x'.repeat(199));
    await expect.poll(surroundings.webhookJobs).toBe(0);
    expect(await surroundings.deadLetters()).toBe(before + 1);
  });

  it('ends a job whose content was deleted before it came, without a dead letter', async () => {
    await using receiver = await startReceiver();
    await using _notifier = surroundings.start();
    const before = await surroundings.deadLetters();
    const id = await surroundings.addEvent({ url: receiver.url, grant: null });
    await surroundings.publishEvent(id);
    await expect.poll(surroundings.webhookJobs).toBe(0);
    expect(await surroundings.deadLetters()).toBe(before);
    expect(receiver.calls).toEqual([]);
  });
});

describe('a process killed', () => {
  it.each([
    ['before it has stored the delivery', deliveryPoints.deliveryBeforeStore, 1],
    ['before it has sent', deliveryPoints.deliveryBeforeSend, 1],
    ['after it has sent, before it has recorded', deliveryPoints.deliveryAfterSend, 2],
  ])('%s loses nothing and sends under one id', async (_, crashPoint, calls) => {
    await using receiver = await startReceiver();
    await surroundings.arm(crashPoint);
    await using first = surroundings.start();
    const id = await surroundings.addEvent({ url: receiver.url });
    await surroundings.publishEvent(id);
    expect(await first.ended).toBe('SIGKILL');
    await using _second = surroundings.start();
    await expect.poll(() => stateOf('delivery', id)).toBe('DELIVERED');
    expect(receiver.calls.map(({ headers }) => headers['webhook-id'])).toEqual(Array(calls).fill(id));
    expect(new Set(receiver.calls.map(({ body }) => body)).size).toBe(1);
  });

  it.each([
    ['before a mail is sent', messagePoints.mailBeforeSend, 1],
    ['after a mail is sent, before it is recorded', messagePoints.mailAfterSend, 2],
  ])('%s loses no mail and sends under one Message-ID', async (_, crashPoint, mails) => {
    surroundings.smtp.mails.length = 0;
    const [id, requestId] = [uuidv7(), uuidv7()];
    surroundings.messages.set(id, {
      messageId: id,
      requestId,
      channel: 'email',
      template: 'claim',
      language: 'es',
      to: 'jane@mail.com',
      applicantName: 'Jane',
      partnerName: 'Partner',
      expiresAt: null,
      sealedSecret: await surroundings.seal('token', { purpose: 'claim-link', owner: requestId }),
    });
    await surroundings.arm(crashPoint);
    await using first = surroundings.start();
    await surroundings.publishMail(id);
    expect(await first.ended).toBe('SIGKILL');
    // The lease of a mail is longer than a test should wait.
    await surroundings.database.execute('update message set due_at = now() where id = $1', [id]);
    await using _second = surroundings.start();
    await expect.poll(() => stateOf('message', id)).toBe('SENT');
    const ids = surroundings.smtp.mails.map(({ source }) => /^Message-ID: (.*)$/im.exec(source)?.[1]?.trim());
    expect(ids).toEqual(Array(mails).fill(`<${id}@rubrica.example>`));
  });
});

describe('a process killed with a code in hand', () => {
  it.each([
    ['before the SMS is sent', messagePoints.smsBeforeSend, 1],
    ['after the SMS is sent, before it is recorded', messagePoints.smsAfterSend, 2],
  ])('%s loses no code and posts it under one idempotency key', async (_, crashPoint, calls) => {
    surroundings.provider.calls.length = 0;
    const [id, requestId] = [uuidv7(), uuidv7()];
    surroundings.messages.set(id, {
      messageId: id,
      requestId,
      channel: 'sms',
      template: 'claim-code',
      language: 'es',
      to: '+593991234123',
      applicantName: 'Jane',
      partnerName: 'Partner',
      expiresAt: new Date(Date.now() + 5 * MINUTE_MS).toISOString(),
      sealedSecret: await surroundings.seal('482913', { purpose: 'claim-code', owner: requestId }),
    });
    await surroundings.arm(crashPoint);
    await using first = surroundings.start();
    await surroundings.publishSms(id);
    expect(await first.ended).toBe('SIGKILL');
    // The lease of a code is longer than a test should wait.
    await surroundings.database.execute('update message set due_at = now() where id = $1', [id]);
    await using _second = surroundings.start();
    await expect.poll(() => stateOf('message', id)).toBe('SENT');
    const keys = surroundings.provider.calls.map(({ headers }) => headers['idempotency-key']);
    expect(keys).toEqual(Array(calls).fill(id));
    expect(new Set(surroundings.provider.calls.map(({ body }) => body.text)).size).toBe(1);
  });
});

describe('a process killed over a notice', () => {
  it.each([
    ['before it is sent', noticePoints.noticeBeforeSend, 1],
    ['after it is sent, before it is recorded', noticePoints.noticeAfterSend, 2],
  ])('%s, loses nothing and sends under one Message-ID', async (_, crashPoint, mails) => {
    surroundings.smtp.mails.length = 0;
    const id = uuidv7();
    await surroundings.database.execute(
      `insert into notice (id, kind, partner_id, destination, failing_since)
       values ($1, 'webhook-disabled', $1, 'https://partner.example', now())`,
      [id],
    );
    await surroundings.arm(crashPoint);
    await using first = surroundings.start();
    expect(await first.ended).toBe('SIGKILL');
    // The lease of a notice is longer than a test should wait.
    await surroundings.database.execute('update notice set due_at = now() where id = $1', [id]);
    await using _second = surroundings.start();
    await expect.poll(() => stateOf('notice', id)).toBe('SENT');
    const ids = surroundings.smtp.mails.map(({ source }) => /^Message-ID: (.*)$/im.exec(source)?.[1]?.trim());
    expect(ids).toEqual(Array(mails).fill(`<${id}@rubrica.example>`));
  });
});

describe('a job that waits', () => {
  it('is done when PostgreSQL is back', async () => {
    await using receiver = await startReceiver();
    await using _notifier = surroundings.start();
    const warm = await surroundings.addEvent({ url: receiver.url });
    await surroundings.publishEvent(warm);
    await expect.poll(() => stateOf('delivery', warm)).toBe('DELIVERED');
    await surroundings.postgres.kill();
    const id = await surroundings.addEvent({ url: receiver.url });
    await surroundings.publishEvent(id);
    await surroundings.postgres.restart();
    await expect.poll(() => stateOf('delivery', id).catch(() => undefined)).toBe('DELIVERED');
    expect(receiver.calls.map(({ headers }) => headers['webhook-id'])).toEqual([warm, id]);
  });
});
