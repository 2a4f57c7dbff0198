import { connectBus, objectStore } from '@rubrica/bus';
import { evidenceBucket } from '@rubrica/contracts/messages/messages';
import { DAY_MS } from '@rubrica/contracts/shared/durations';
import { createDatabase } from '@rubrica/database/connection';
import { createLogger } from '@rubrica/process/log';
import { uuidv7 } from '@rubrica/process/time';
import { disposeAfterAll, makeCedula, pollFor } from '@rubrica/testkit';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { schema } from '../src/entities.ts';
import { sweepEvidenceObjects } from '../src/requests/evidence/sweep-evidence.ts';
import { notifyPeers } from '../src/requests/retention/notify-peers.ts';
import { impersonalTables, personalTables } from '../src/requests/retention/personal-data.ts';
import { sweepRetention } from '../src/requests/retention/sweep-retention.ts';
import { openEntries } from './support/own-database.ts';
import { peersOf, playPeer } from './support/retention-peers.ts';
import { asOperator, asPartner, byTwo, makeRegistration, runningIntake } from './support/running-intake.ts';
import { putObject } from './support/seal-files.ts';

const quiet = createLogger({ service: 'test', level: 'silent', format: 'json' });
const days = { issuedDays: 3653, unissuedDays: 90 };
const canary = 'Kanarienvogel';
afterAll(() => Promise.all(closing.map((close) => close())));
const intake = await disposeAfterAll(runningIntake());
const entries = await openEntries(intake.ground);
const database = await disposeAfterAll(
  createDatabase({
    ...{ url: intake.ground.service.appUrl, schema, entities: [], entries },
    logger: quiet,
  }),
);
const generation = await disposeAfterAll(playPeer('generation', intake));
const notifier = await disposeAfterAll(playPeer('notifier', intake));

afterEach(() => {
  for (const peer of [generation, notifier]) {
    peer.isAway = false;
    peer.told.length = 0;
  }
});

function partner() {
  return intake.client(asPartner('sandbox')).requests;
}

function admin() {
  return intake.operators(asOperator('admin')).requests;
}

function own(requestId: string) {
  return { family: 'TV' as const, requestId };
}

async function statusOf(requestId: string) {
  return (await partner().status.query(own(requestId))).status;
}

function sweepAt(now: Date) {
  return sweepRetention(database, { now, days });
}

function inDays(count: number) {
  return new Date(Date.now() + count * DAY_MS);
}

function refusal(code: string) {
  return { data: { appCode: code } };
}

interface Kept {
  evidence_key: string | null;
  contents: number;
  erased: boolean;
  due: string | null;
}
async function kept(requestId: string): Promise<Kept | undefined> {
  const [row] = await intake.query<Kept>(
    `select evidence_key, (select count(content)::int from intake.evidence e where e.request_id = r.id) as contents,
       erased_at is not null as erased, evidence_due_at as due from intake.request r where id = $1`,
    [requestId],
  );
  return row;
}

/** Planted wherever a person's words go. */
function registration(identificationNumber: string) {
  return makeRegistration({
    identificationNumber,
    applicantName: canary,
    email: `${canary}@mail.com`,
    address: `Av. ${canary}`,
    callbackUrl: `http://127.0.0.1:9/${canary}`,
  });
}

/** Waits for a person's review, and is cancelled there. */
async function cancelled(): Promise<string> {
  const { requestId } = await partner().register.mutate(registration('2450001504'));
  await pollFor(
    async () => (await partner().status.query(own(requestId))).validationStatus === 'MANUALLY_VALIDATING',
  );
  await partner().cancel.mutate({ ...own(requestId), faults: [], reason: `asked by ${canary}` });
  return requestId;
}

const notAfter = '2027-11-21T04:59:59.000Z';
async function issued(identificationNumber = makeCedula()): Promise<string> {
  const input = makeRegistration({ identificationNumber });
  const { requestId } = await partner().register.mutate(input);
  await pollFor(async () => (await statusOf(requestId)) === 'GENERATING');
  await intake.tell('events.certificate.issued', {
    requestId,
    attempt: 1,
    certificateId: uuidv7(),
    serialNumber: `4A${requestId.replaceAll('-', '').toUpperCase()}`,
    notBefore: '2026-11-21T00:00:00.000Z',
    notAfter,
    cappedBy: null,
    truncated: [],
  });
  await pollFor(async () => (await statusOf(requestId)) === 'GENERATED');
  return requestId;
}

function tables() {
  return intake.query<{ name: string; has_request: boolean }>(
    `select table_name as name, bool_or(column_name = 'request_id') as has_request
     from information_schema.columns join information_schema.tables using (table_schema, table_name)
     where table_schema = 'intake' and table_type = 'BASE TABLE' group by table_name`,
  );
}

/** Tables of the schema in which these words stand, in whatever column. */
async function tablesWith(words: string): Promise<string[]> {
  const found: string[] = [];
  for (const { name } of await tables()) {
    const rows = await intake.query(`select 1 from intake."${name}" t where t::text like $1 limit 1`, [
      `%${words}%`,
    ]);
    if (rows.length > 0) found.push(name);
  }
  return found.sort();
}

describe('the retention of a request for which nothing was issued', () => {
  it('ends after 90 days: key, evidence and every word of the applicant are gone, and peers are told', async () => {
    const requestId = await cancelled();
    expect(await tablesWith(canary)).toEqual(['request', 'timeline']);
    await sweepAt(inDays(89));
    expect(await kept(requestId)).toMatchObject({
      evidence_key: expect.any(String),
      contents: 1,
      erased: false,
    });
    expect(await sweepAt(inDays(91))).toBe(1);
    expect(await kept(requestId)).toEqual({ evidence_key: null, contents: 0, erased: true, due: null });
    expect(await tablesWith(canary)).toEqual([]);
    expect(await sweepAt(inDays(91))).toBe(0);

    await notifyPeers({ database, peers: await peersOfIntake(), logger: quiet });
    const word = { requestId, version: 1, held: false, erase: 'ALL', advancedDays: 0 };
    expect([generation.told, notifier.told]).toEqual([[word], [word]]);
    // The reference stays taken, and the partner still learns how it ended.
    expect(await statusOf(requestId)).toBe('CANCELLED');
  });

  it('is dated by the sweeper where an older release ended it', async () => {
    const requestId = await cancelled();
    const [before] = [await kept(requestId)];
    await intake.query('update intake.request set evidence_due_at = null where id = $1', [requestId]);
    await sweepAt(new Date());
    expect(await kept(requestId)).toMatchObject({ due: before?.due, erased: false });
  });

  it('removes what lies in the object store with it', async () => {
    await using bus = await connectBus((await intake.ground.peer('gateway')).streams);
    await using intakeBus = await connectBus((await intake.ground.peer('intake')).streams);
    const requestId = uuidv7();
    const object = await putObject(bus, Buffer.from('noise'));
    const file = { mediaType: 'image/png', size: 5, sha256: 'a'.repeat(64), object };
    const evidence = { key: 'sealed', items: [{ evidenceId: uuidv7(), file }], errors: [] };
    const identificationNumber = '2450001504';
    await partner().register.mutate(makeRegistration({ identificationNumber }, { requestId, evidence }));
    await partner().cancel.mutate({ ...own(requestId), faults: [] });
    const store = objectStore(intakeBus, evidenceBucket);
    const sweep = () => sweepEvidenceObjects({ stores: [store], sql: database }, { olderThanMs: -1_000 });
    await sweep();
    expect(String(await store.get(object).bytes())).toBe('noise');
    await sweepAt(inDays(91));
    await sweep();
    await expect(store.get(object).bytes()).rejects.toMatchObject({ code: 'missing' });
  });
});

async function peersOfIntake() {
  const peer = await intake.ground.peer('intake');
  const bus = await connectBus(peer);
  closing.push(() => bus.drain());
  return peersOf(bus);
}

const closing: (() => Promise<unknown>)[] = [];

describe('the retention of an issued request', () => {
  it('ends ten years after its certificate, not before', async () => {
    const requestId = await issued();
    const end = new Date(notAfter).getTime() + days.issuedDays * DAY_MS;
    expect(await kept(requestId)).toMatchObject({ evidence_key: expect.any(String), contents: 1 });
    await sweepAt(new Date(end - 1_000));
    expect((await kept(requestId))?.erased).toBe(false);
    await sweepAt(new Date(end));
    expect(await kept(requestId)).toEqual({ evidence_key: null, contents: 0, erased: true, due: null });
    // What the register needs stays.
    expect(await partner().status.query(own(requestId))).toMatchObject({ status: 'GENERATED', notAfter });
  });
});

describe('a legal hold', () => {
  it('stops the clock until it is lifted; both are audited, with why, and told to the peers', async () => {
    const requestId = await cancelled();
    const held = await admin().legalHold.mutate({ requestId, reason: 'court order 12' });
    expect(held).toMatchObject({ legalHold: { reason: 'court order 12' }, pending: [] });
    await sweepAt(inDays(400));
    expect(await kept(requestId)).toMatchObject({ contents: 1, erased: false });
    await expect(admin().erase.mutate({ requestId, reason: 'asked' })).rejects.toMatchObject(
      refusal('REQUEST_STATE_NOT_ALLOWED'),
    );
    expect(
      await byTwo(intake, ({ requests }) =>
        requests.releaseLegalHold.mutate({ requestId, reason: 'lifted' }),
      ),
    ).toMatchObject({
      legalHold: null,
    });
    const told = generation.told.filter((word) => word.requestId === requestId);
    expect(told.map(({ version, held }) => [version, held])).toEqual([
      [1, true],
      [2, false],
    ]);
    await sweepAt(inDays(400));
    expect((await kept(requestId))?.erased).toBe(true);
    const audited = await intake.query(
      `select action, actor, reason from intake.audit where target = $1 order by id`,
      [`request:${requestId}`],
    );
    expect(audited).toEqual([
      { action: 'requests.legalHold', actor: 'operator:admin@example.com', reason: 'court order 12' },
      { action: 'requests.releaseLegalHold', actor: 'operator:operator2@example.com', reason: 'lifted' },
      { action: 'requests.erase', actor: 'service:intake', reason: 'the retention has ended' },
    ]);
    await expect(admin().releaseLegalHold.mutate({ requestId, reason: 'again' })).rejects.toMatchObject(
      refusal('REQUEST_STATE_NOT_ALLOWED'),
    );
  });

  it('is an administrator’s, with a reason, on a request that there is', async () => {
    const call = { requestId: uuidv7(), reason: 'court order' };
    const reviewer = intake.operators(asOperator('reviewer')).requests;
    await expect(reviewer.legalHold.mutate(call)).rejects.toMatchObject(refusal('FORBIDDEN'));
    await expect(admin().legalHold.mutate(call)).rejects.toMatchObject(refusal('REQUEST_NOT_FOUND'));
    await expect(admin().legalHold.mutate({ ...call, reason: '' })).rejects.toThrow();
  });

  it('that a peer has not heard of is told again until it has', async () => {
    const requestId = await cancelled();
    notifier.isAway = true;
    expect(await admin().legalHold.mutate({ requestId, reason: 'court order' })).toMatchObject({
      pending: ['notifier'],
    });
    expect(notifier.told).toEqual([]);
    notifier.isAway = false;
    const deps = { database, peers: await peersOfIntake(), logger: quiet };
    await notifyPeers(deps);
    await notifyPeers(deps);
    const told = notifier.told.filter((word) => word.requestId === requestId);
    expect(told).toEqual([{ requestId, version: 1, held: true, erase: 'NOTHING', advancedDays: 0 }]);
    expect(await intake.query('select 1 from intake.retention_order')).toEqual([]);
  });
});

describe('an operator’s erasure', () => {
  it('takes everything where nothing was issued', async () => {
    const requestId = await cancelled();
    const { requests, pending } = await byTwo(intake, ({ requests }) =>
      requests.erase.mutate({ requestId, reason: 'asked by the applicant' }),
    );
    expect(pending).toEqual([]);
    expect(requests).toMatchObject([{ requestId, refused: null, kept: [] }]);
    expect(requests[0]?.erased).toContain('EVIDENCE');
    expect(await intake.query('select from intake.request_word where request_id = $1', [requestId])).toEqual(
      [],
    );
    expect(await kept(requestId)).toEqual({ evidence_key: null, contents: 0, erased: true, due: null });
    const [left] = await intake.query('select r::text as row from intake.request r where id = $1', [
      requestId,
    ]);
    expect(JSON.stringify(left)).not.toMatch(new RegExp(`${canary}|2450001504|sealed`));
    expect(notifier.told).toMatchObject([{ requestId, erase: 'ALL' }]);
  });

  it('of an issued request keeps what proves the checks and says until when and why', async () => {
    const requestId = await issued();
    await intake.query(
      `insert into intake.message (id, request_id, channel, template, language, recipient, sealed_secret)
       values ($1, $2, 'email', 'claim', 'es', 'jane@mail.com', 'sealed')`,
      [uuidv7(), requestId],
    );
    const { requests } = await byTwo(intake, ({ requests }) =>
      requests.erase.mutate({ requestId, reason: 'asked' }),
    );
    expect(requests[0]?.erased).toEqual(['PASSWORD', 'LINK', 'MESSAGES', 'BUNDLE', 'DELIVERY']);
    const until = '2037-11-21T04:59:59.000Z';
    expect(requests[0]?.kept).toContainEqual({ kind: 'EVIDENCE', until, rule: 'AFTER_CERTIFICATE' });
    expect(requests[0]?.kept).toContainEqual({ kind: 'CERTIFICATE', until: null, rule: 'REGISTER' });
    expect(await kept(requestId)).toMatchObject({ contents: 1, erased: false });
    expect(
      await intake.query('select recipient, sealed_secret from intake.message where request_id = $1', [
        requestId,
      ]),
    ).toEqual([{ recipient: '', sealed_secret: null }]);
    expect(generation.told).toMatchObject([{ requestId, erase: 'SECRETS' }]);
  });

  it('of an applicant takes each request by its own rule and leaves what is open or held', async () => {
    const identificationNumber = makeCedula();
    const [first, second] = [await issued(identificationNumber), await issued(identificationNumber)];
    await admin().legalHold.mutate({ requestId: second, reason: 'court order' });
    const open = (await partner().register.mutate(makeRegistration({ identificationNumber }))).requestId;
    await pollFor(async () => (await statusOf(open)) === 'GENERATING');
    const { requests, isComplete } = await byTwo(intake, ({ requests }) =>
      requests.erase.mutate({ identificationNumber, reason: 'asked' }),
    );
    const byId = new Map(requests.map((one) => [one.requestId, one.refused]));
    expect(Object.fromEntries(byId)).toEqual({ [first]: null, [second]: 'LEGAL_HOLD', [open]: 'NOT_ENDED' });
    expect(isComplete).toBe(true);
    expect(await tablesWith(identificationNumber)).toEqual(['request']);
    await expect(admin().erase.mutate({ requestId: open, reason: 'asked' })).rejects.toMatchObject(
      refusal('REQUEST_STATE_NOT_ALLOWED'),
    );
  });
});

describe('the report of what is held', () => {
  it('names every part with its end and its rule, those of peers included', async () => {
    const identificationNumber = makeCedula();
    const requestId = await issued(identificationNumber);
    const since = '2026-11-21T00:00:00.000Z';
    const bundle = {
      requestId,
      kind: 'BUNDLE',
      detail: '4A',
      since,
      until: since,
      rule: 'DELIVERY',
    } as const;
    const sent = {
      requestId,
      kind: 'MESSAGES',
      detail: 'claim',
      since,
      until: null,
      rule: 'AFTER_END',
    } as const;
    generation.items.push(bundle);
    notifier.items.push(sent);
    const reviewer = intake.operators(asOperator('reviewer')).requests;
    const report = await reviewer.holdings.query({ identificationNumber });
    expect(report).toMatchObject({
      isComplete: true,
      unanswered: [],
      requests: [{ requestId, isIssued: true }],
    });
    const until = '2037-11-21T04:59:59.000Z';
    const told = report.requests[0]?.holdings.map(({ since: _, ...one }) => one);
    expect(told).toEqual([
      { kind: 'REQUEST_DATA', service: 'intake', detail: null, until, rule: 'AFTER_CERTIFICATE' },
      {
        kind: 'EVIDENCE',
        service: 'intake',
        detail: 'image/png 133 bytes',
        until,
        rule: 'AFTER_CERTIFICATE',
      },
      expect.objectContaining({ kind: 'BUNDLE', service: 'generation', until: since, rule: 'DELIVERY' }),
      expect.objectContaining({ kind: 'MESSAGES', service: 'notifier', until, rule: 'AFTER_CERTIFICATE' }),
    ]);
    generation.isAway = true;
    const partial = await reviewer.holdings.query({ identificationNumber });
    expect(partial.unanswered).toEqual(['generation']);
    expect(partial.requests[0]?.holdings.some(({ service }) => service === 'generation')).toBe(false);
    const viewer = intake.operators(asOperator('viewer')).requests;
    await expect(viewer.holdings.query({ identificationNumber })).rejects.toMatchObject(refusal('FORBIDDEN'));
  });

  it('of an unknown applicant is empty', async () => {
    const identificationNumber = makeCedula();
    const report = await admin().holdings.query({ identificationNumber });
    expect(report).toEqual({ identificationNumber, requests: [], isComplete: true, unanswered: [] });
  });
});

describe('the list of what is personal', () => {
  it('speaks of every table that belongs to requests', async () => {
    const ofRequests = (await tables()).filter(({ has_request }) => has_request).map(({ name }) => name);
    expect(ofRequests.sort()).toEqual([...Object.keys(personalTables), ...impersonalTables].sort());
  });
});
