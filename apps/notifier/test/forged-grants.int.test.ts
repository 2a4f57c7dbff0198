import { MINUTE_MS } from '@rubrica/contracts/shared/durations';
import { uuidv7 } from '@rubrica/process/time';
import { disposeAfterAll } from '@rubrica/testkit';
import { describe, expect, it } from 'vitest';
import { notifierGround } from './support/ground.ts';
import { type KeyFolder, keyFolder } from './support/keyrings.ts';
import type { GrantAnswer, NotifierOverrides } from './support/notifier.ts';
import { startReceiver } from './support/receiver.ts';
import { deliveryStatement, sha256 } from './support/statements.ts';

/** What an attacker can do who answers in intake's name on the bus and writes rows of the notifier. */
const ground = notifierGround();
const foreign = await disposeAfterAll(keyFolder('intake'));

interface Signing {
  readonly claims?: object;
  readonly keys?: KeyFolder;
  readonly now?: Date;
}

/** As intake would sign it, but for what is given. */
async function signed(answer: GrantAnswer, { claims = {}, keys = ground.keys, now }: Signing = {}) {
  const keyring = await keys.keyring('intake');
  return deliveryStatement(answer, { keyring, now: now ?? new Date(), claims });
}

/** Each leads elsewhere and lacks one thing. */
const forgeries: Record<string, (answer: GrantAnswer, url: string) => Promise<GrantAnswer>> = {
  'without a statement': async (answer, url) => ({
    ...answer,
    url,
    destinationSha256: sha256(url),
    statement: undefined,
  }),
  'with what is no statement': async (answer, url) => ({
    ...answer,
    url,
    destinationSha256: undefined,
    statement: 'a.b.c',
  }),
  'signed by another key': async (answer, url) => lead(answer, url, { keys: foreign }),
  'of another destination': async (answer, url) => ({ ...answer, url, destinationSha256: undefined }),
  'of other secrets': async (answer, url) => {
    const led = await lead(answer, url);
    return { ...led, sealedSecrets: [...led.sealedSecrets, ...led.sealedSecrets] };
  },
  'of another event': async (answer, url) => lead(answer, url, { claims: { sub: uuidv7() } }),
  'of another partner': async (answer, url) => lead(answer, url, { claims: { partnerId: uuidv7() } }),
  'to another service': async (answer, url) => lead(answer, url, { claims: { aud: 'generation' } }),
  'that has ended': async (answer, url) => lead(answer, url, { now: new Date(Date.now() - 6 * MINUTE_MS) }),
  'of a time to come': async (answer, url) => lead(answer, url, { now: new Date(Date.now() + MINUTE_MS) }),
  'without a near end': async (answer, url) =>
    lead(answer, url, { claims: { exp: Math.floor(Date.now() / 1_000) + 3_600 } }),
};

/** An answer as intake signs it for that destination, but for what is given. */
async function lead(answer: GrantAnswer, url: string, signing: Signing = {}): Promise<GrantAnswer> {
  const led = { ...answer, url, destinationSha256: sha256(url) };
  return { ...led, statement: await signed(led, signing) };
}

/** Nothing is tried again by itself while a test looks. */
const schedule = {
  delaysMs: Array.from({ length: 9 }, (_, n) => n && 600_000),
  jitter: 0,
  maxRetryAfterMs: 1,
};

async function setUp(overrides: NotifierOverrides = {}) {
  await using owned = new AsyncDisposableStack();
  const alarms: string[] = [];
  const raise = (id: string) => void alarms.push(id);
  const notifier = owned.use(
    await ground.start({ schedule, onAltered: raise, onNotGranted: raise, ...overrides }),
  );
  const receiver = owned.use(await startReceiver((response) => response.writeHead(503).end()));
  const elsewhere = owned.use(await startReceiver());
  const eventId = await notifier.addEvent({ url: receiver.url });
  const held = owned.move();
  return {
    ...{ notifier, receiver, elsewhere, alarms, eventId },
    receive: () => notifier.deliveries.receive({ eventId, traceparent: undefined }),
    row: () => notifier.delivery(eventId),
    /** As the notifier's role can, with the next attempt at once. */
    address: (url: string) =>
      notifier.database.execute(
        `update delivery set url = $2, destination = $3, due_at = now(), state = 'PENDING' where id = $1`,
        [eventId, url, new URL(url).origin],
      ),
    [Symbol.asyncDispose]: () => held.disposeAsync(),
  };
}

const triedOnce = { attempts: 1, state: 'PENDING' };
const refused = expect.stringMatching(/^intake has not signed|^its destination is not the one/);
const readdressed = 'its destination is not the one that the partner registered';

describe.each(Object.entries(forgeries))('a forged grant %s', (_, forge) => {
  it('with the event makes no delivery; the job comes again until intake answers', async () => {
    await using at = await setUp();
    at.notifier.onTheBus.forge = (answer) => forge(answer, at.elsewhere.url);
    await expect(at.receive()).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    expect(at.alarms).toEqual([at.eventId]);
    expect(await at.row()).toEqual({});
    at.notifier.onTheBus.forge = undefined;
    at.receiver.answer = (response) => response.writeHead(204).end();
    await at.receive();
    await expect.poll(async () => (await at.row()).state).toBe('DELIVERED');
    expect([at.receiver.calls.length, at.elsewhere.calls.length]).toEqual([1, 0]);
  });

  it('of a further attempt sends nothing to anybody, and later attempts are made', async () => {
    await using at = await setUp();
    await at.receive();
    await expect.poll(at.row).toMatchObject(triedOnce);
    at.notifier.onTheBus.forge = (answer) => forge(answer, at.elsewhere.url);
    await at.address(at.elsewhere.url);
    await expect.poll(async () => (await at.row()).attempts).toBe(2);
    expect(await at.row()).toMatchObject({ state: 'PENDING', last_error: refused });
    expect(at.alarms).toEqual([at.eventId]);
    expect([at.receiver.calls.length, at.elsewhere.calls.length]).toEqual([1, 0]);
    at.notifier.onTheBus.forge = undefined;
    at.receiver.answer = (response) => response.writeHead(204).end();
    await at.address(at.receiver.url);
    await expect.poll(async () => (await at.row()).state).toBe('DELIVERED');
    expect([at.receiver.calls.length, at.elsewhere.calls.length]).toEqual([2, 0]);
  });
});

describe('a grant', () => {
  it('for another destination opens no body, even if intake has signed it', async () => {
    await using at = await setUp();
    await at.receive();
    await expect.poll(at.row).toMatchObject(triedOnce);
    at.notifier.onTheBus.forge = (answer) => lead(answer, at.elsewhere.url);
    await at.address(at.elsewhere.url);
    await expect.poll(async () => (await at.row()).attempts).toBe(2);
    expect(await at.row()).toMatchObject({ state: 'PENDING', last_error: readdressed });
    expect(at.elsewhere.calls).toEqual([]);
    at.notifier.onTheBus.forge = undefined;
    at.receiver.answer = (response) => response.writeHead(204).end();
    await at.address(at.receiver.url);
    await expect.poll(async () => (await at.row()).state).toBe('DELIVERED');
  });

  it('without a statement counts where an older intake is accepted, one with a wrong statement does not', async () => {
    await using at = await setUp({ deliveryStatements: 'accepted' });
    at.notifier.onTheBus.forge = (answer) => lead(answer, at.receiver.url, { keys: foreign });
    await expect(at.receive()).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    at.notifier.onTheBus.forge = (answer) => ({ ...answer, statement: undefined });
    await at.receive();
    await expect.poll(at.row).toMatchObject(triedOnce);
    at.receiver.answer = (response) => response.writeHead(204).end();
    await at.address(at.receiver.url);
    await expect.poll(async () => (await at.row()).state).toBe('DELIVERED');
    expect(at.receiver.calls).toHaveLength(2);
  });
});
