import { uuidv7 } from '@rubrica/process/time';
import { expect, it } from 'vitest';
import { createApplicantMessageStore } from '../src/applicant-messages/applicant-message.store.ts';
import { allTemplates } from '../src/applicant-messages/template-kinds.ts';
import { notifierGround } from './support/ground.ts';
import { startApplicantMessages } from './support/messages.ts';

const ground = notifierGround();

type Messages = Awaited<ReturnType<typeof startApplicantMessages>>;
type Changes = Parameters<Messages['addCode']>[0];
type Overrides = NonNullable<Parameters<typeof startApplicantMessages>[0]['overrides']>;

/** Sendings in the order of their begin, each of which ends when the test says so. */
function heldSendings() {
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  let isOpen = false;
  return {
    begun,
    async hold(id: string) {
      begun.push(id);
      if (!isOpen) await new Promise<void>((resolve) => ends.push(resolve));
    },
    endNext: () => ends.shift()?.(),
    open() {
      isOpen = true;
      for (const end of ends) end();
    },
  };
}

async function startHeld(overridesBy: (hold: (id: string) => Promise<void>) => Overrides) {
  const { hold, open, begun, endNext } = heldSendings();
  const messages = await startApplicantMessages({ ...ground, overrides: overridesBy(hold) });
  return {
    ...{ messages, begun, endNext },
    async [Symbol.asyncDispose]() {
      open();
      await messages[Symbol.asyncDispose]();
    },
  };
}

const startWithHeldSms = (concurrency = 8) =>
  startHeld((hold) => ({
    sms: {
      sender: {
        send: ({ id }) => hold(id).then(() => ({ outcome: 'ACCEPTED' })),
        close: async () => undefined,
      },
      concurrency,
    },
  }));

async function receiveCode(messages: Messages, changes: Changes): Promise<string> {
  const id = await messages.addCode(changes);
  await messages.service.receive(id);
  return id;
}

/** Receives five hundred codes, of which the first begin and all others wait. */
async function receiveMany(messages: Messages, changes: Changes): Promise<void> {
  await Promise.all(Array.from({ length: 500 }, () => receiveCode(messages, changes)));
}

it("five hundred codes of one partner do not delay another partner's code", async () => {
  await using started = await startWithHeldSms();
  const { messages, begun } = started;
  await receiveMany(messages, { partnerId: uuidv7() });
  await expect.poll(() => begun.length).toBe(4);
  const id = await receiveCode(messages, { partnerId: uuidv7() });
  await expect.poll(() => begun.slice(4)).toEqual([id]);
});

it('partners without a free place get the next ones, before the partner with most messages', async () => {
  await using started = await startWithHeldSms();
  const { messages, begun, endNext } = started;
  await receiveMany(messages, { partnerId: uuidv7() });
  await expect.poll(() => begun.length).toBe(4);
  const others: string[] = [];
  for (let partner = 0; partner < 6; partner++)
    others.push(await receiveCode(messages, { partnerId: uuidv7() }));
  await expect.poll(() => begun.length).toBe(6);
  // One place at a time: those of the first partner end first, and it takes one of the next five at most.
  for (let count = 7; count <= 11; count++) {
    endNext();
    await expect.poll(() => begun.length).toBe(count);
  }
  expect(others.filter((id) => !begun.includes(id))).toEqual([]);
});

it('a code that revokes finds a place where all others are taken', async () => {
  await using started = await startWithHeldSms();
  const { messages, begun } = started;
  for (let partner = 0; partner < 8; partner++) await receiveCode(messages, { partnerId: uuidv7() });
  await expect.poll(() => begun.length).toBe(6);
  await receiveMany(messages, { partnerId: uuidv7(), template: 'revoke-code' });
  await expect.poll(() => begun.length).toBe(7);
  const id = await receiveCode(messages, { partnerId: uuidv7(), template: 'revoke-code' });
  await expect.poll(() => begun.slice(7)).toEqual([id]);
});

it("five hundred letters of one partner do not delay another partner's letter", async () => {
  await using started = await startHeld((hold) => {
    const transport = {
      send: ({ messageId }: { messageId: string }) => hold(messageId),
      close: () => undefined,
    };
    const from = 'no-reply@rubrica.example';
    return { mail: { from, transport, codeTransport: transport, concurrency: 4 } };
  });
  const { messages, begun } = started;
  const receive = async (partnerId: string) => {
    const id = await messages.addMessage({ partnerId });
    await messages.service.receive(id);
    return id;
  };
  const noisy = uuidv7();
  await Promise.all(Array.from({ length: 500 }, () => receive(noisy)));
  await expect.poll(() => begun.length).toBe(4);
  const id = await receive(uuidv7());
  await expect.poll(() => begun.slice(4)).toEqual([`<${id}@rubrica.example>`]);
});

it('messages that the release before has stored share one part of the room', async () => {
  await using messages = await startApplicantMessages(ground);
  await messages.service.stop();
  const partners = [uuidv7(), uuidv7()];
  await messages.database.execute(
    `insert into message (id, request_id, partner_id, channel, template, recipient_masked, state, due_at)
     select gen_random_uuid(), gen_random_uuid(), partner, 'sms', 'claim-code', 'x', 'PENDING', now() - age
     from (select null::uuid as partner, interval '1 minute' as age from generate_series(1, 500)
           union all select partner, interval '1 second' from unnest($1::uuid[]) as known (partner)) as waiting`,
    [`{${partners.join()}}`],
  );
  const store = createApplicantMessageStore({
    database: messages.database,
    channel: 'sms',
    templates: allTemplates,
  });
  const request = { limit: 6, perDestination: 6, left: [], perPartner: 4, partners: [], leaseMs: 25_000 };
  const leased = await store.leaseDue(request);
  expect(leased.map(({ partnerId }) => partnerId)).toEqual(expect.arrayContaining(partners));
  expect(leased.length).toBe(6);
});

it('a code that ends before it could arrive is dropped at the lease, and intake is not asked', async () => {
  // One call at a time for codes that do not revoke: nothing is leased while it is held.
  await using started = await startWithHeldSms(2);
  const { messages, begun, endNext } = started;
  const first = await receiveCode(messages, {});
  await expect.poll(() => begun).toEqual([first]);
  const asked: string[] = [];
  messages.onAsked((messageId) => asked.push(messageId));
  const requestId = uuidv7();
  const ids = { ending: uuidv7(), living: await messages.addCode({ requestId }) };
  await messages.database.execute(
    `insert into message (id, request_id, channel, template, recipient_masked, state, due_at, expires_at)
     select id, $3::uuid, 'sms', 'claim-code', 'x', 'PENDING', now(), now() + life
     from (values ($1::uuid, interval '5 seconds'), ($2::uuid, interval '5 minutes')) as waiting (id, life)`,
    [ids.ending, ids.living, requestId],
  );
  endNext();
  await expect.poll(() => begun).toEqual([first, ids.living]);
  expect(await messages.message(ids.ending)).toMatchObject({
    state: 'SUPERSEDED',
    due_at: null,
    last_error: 'it had expired before it could be sent',
  });
  expect(messages.attempts.map(({ id, outcome }) => [id, outcome])).toEqual([
    [first, 'SENT'],
    [ids.ending, 'SUPERSEDED'],
  ]);
  expect(asked).toEqual([ids.living]);
});
