import type * as retentionContract from '@rubrica/contracts/services/schemas/retention';
import { HOUR_MS } from '@rubrica/contracts/shared/durations';
import { toAppError } from '@rubrica/process/errors';
import { uuidv7 } from '@rubrica/process/time';
import { disposeAfterAll } from '@rubrica/testkit';
import { describe, expect, it } from 'vitest';
import { grantOf } from './support/grants.ts';
import type { OrderOverrides } from './support/orders.ts';
import { openScene } from './support/scene.ts';

const scene = await disposeAfterAll(openScene({ SWEEP_INTERVAL_SECONDS: '1' }));

const asNotifier = () => scene.notifier.serviceClient().bundles;
const asIntake = () => scene.env.intakePeer.serviceClient().bundles;

async function issued(
  overrides: OrderOverrides = {},
  job = { requestId: uuidv7(), attempt: 1 },
): Promise<string> {
  expect(await scene.order(overrides, job)).toMatchObject({ serialNumber: expect.any(String) });
  return job.requestId;
}

async function issuedToApplicant(): Promise<string> {
  const job = { requestId: uuidv7(), attempt: 1 };
  const binding = { purpose: 'certificate-password', owner: job.requestId } as const;
  const sealedPassword = await scene.gateway.keyring.sealTo('generation', 'Galapagos 2026', binding);
  return issued({ passwordOrigin: 'HOLDER', sealedPassword }, job);
}

interface Bundle {
  days: number;
  keepDays: number | null;
  isThere: boolean;
}

async function bundleOf(requestId: string): Promise<Bundle | undefined> {
  const [row] = await scene.env.database.query<Bundle>(
    `select round(extract(epoch from purge_at - now()) / 86400)::int as days,
       round(extract(epoch from keep_until - now()) / 86400)::int as "keepDays", sealed is not null as "isThere"
     from generation.bundle as b join generation.certificate as c on c.id = b.certificate_id where c.request_id = $1`,
    [requestId],
  );
  return row;
}

const untilGone = (requestId: string) =>
  expect.poll(async () => (await bundleOf(requestId))?.isThere).toBe(false);
const swept = (requestId: string) =>
  scene.env.database.query(
    `update generation.bundle set purge_at = now(), keep_until = null where certificate_id =
      (select id from generation.certificate where request_id = $1)`,
    [requestId],
  );
const word = (requestId: string, rest: Partial<retentionContract.RetentionInstruction>) => ({
  requests: [{ requestId, version: 1, held: false, erase: 'NOTHING' as const, ...rest }],
});

const purge = async (requestId: string) =>
  asNotifier().purge.mutate({
    grant: await grantOf(scene.env, requestId, { purpose: 'purge', azp: 'notifier' }),
  });
const release = async (requestId: string) =>
  scene.gateway.serviceClient().bundles.release.query({ grant: await grantOf(scene.env, requestId) });

describe('a bundle that the notifier has delivered', () => {
  it('is purged here too, and asking again changes nothing', async () => {
    const requestId = await issued();
    expect(await bundleOf(requestId)).toEqual({ days: 30, keepDays: null, isThere: true });
    expect(await purge(requestId)).toEqual({ changed: 1 });
    await untilGone(requestId);
    expect(await purge(requestId)).toEqual({ changed: 0 });
  });

  it('stays a day longer than the seven in which the applicant may fetch it, where the applicant has a link', async () => {
    const requestId = await issuedToApplicant();
    expect(await bundleOf(requestId)).toEqual({ days: 30, keepDays: 8, isThere: true });
    expect(await purge(requestId)).toEqual({ changed: 1 });
    expect(await bundleOf(requestId)).toEqual({ days: 8, keepDays: 8, isThere: true });
    expect(await purge(requestId)).toEqual({ changed: 0 });
  });
});

const hours = (count: number) => new Date(Date.now() + count * HOUR_MS).toISOString();
const minutesLeft = async (requestId: string) => {
  const [row] = await scene.env.database.query<{ minutes: number }>(
    `select round(extract(epoch from purge_at - now()) / 60)::int as minutes from generation.bundle as b
     join generation.certificate as c on c.id = b.certificate_id where c.request_id = $1`,
    [requestId],
  );
  return row?.minutes;
};
const retrieved = (overrides: OrderOverrides = {}) => issued({ isRetrieved: true, ...overrides });

describe('a bundle that the partner retrieves', () => {
  it('is kept for seven days, and from the first retrieval on as long as that may be repeated', async () => {
    const requestId = await retrieved({ hasWebhook: false });
    expect(await bundleOf(requestId)).toEqual({ days: 7, keepDays: 7, isThere: true });
    await asIntake().retain.mutate(word(requestId, { fetchUntil: hours(24) }));
    expect(await minutesLeft(requestId)).toBe(24 * 60);
    // Intake repeats itself until it is sure to be heard, and never to make the time longer.
    await asIntake().retain.mutate(word(requestId, { fetchUntil: hours(30) }));
    expect(await minutesLeft(requestId)).toBe(24 * 60);
    await asIntake().retain.mutate(word(requestId, { fetchUntil: hours(0) }));
    await untilGone(requestId);
    await expect(release(requestId)).rejects.toMatchObject({
      data: { appCode: 'PAYLOAD_EXPIRED' },
    });
  });

  it('waits for its webhook though it was retrieved, and goes when that was delivered', async () => {
    const requestId = await retrieved();
    expect(await bundleOf(requestId)).toEqual({ days: 30, keepDays: 7, isThere: true });
    await asIntake().retain.mutate(word(requestId, { fetchUntil: hours(-1) }));
    expect(await bundleOf(requestId)).toMatchObject({ days: 30, isThere: true });
    expect(await purge(requestId)).toEqual({ changed: 1 });
    await untilGone(requestId);
  });

  it('may be retrieved though its webhook was delivered, and goes when that is over', async () => {
    const requestId = await retrieved();
    expect(await purge(requestId)).toEqual({ changed: 1 });
    expect(await bundleOf(requestId)).toEqual({ days: 7, keepDays: 7, isThere: true });
    expect(await purge(requestId)).toEqual({ changed: 0 });
    await asIntake().retain.mutate(word(requestId, { fetchUntil: hours(24) }));
    expect(await minutesLeft(requestId)).toBe(24 * 60);
  });

  it('is ended by an erasure, whatever may still be fetched, and stopped by a hold', async () => {
    const [erased, held] = [await retrieved(), await retrieved({ hasWebhook: false })];
    await asIntake().retain.mutate(word(erased, { erase: 'SECRETS', fetchUntil: hours(24) }));
    await asIntake().retain.mutate(word(held, { held: true, fetchUntil: hours(-1) }));
    await untilGone(erased);
    expect(await bundleOf(held)).toMatchObject({ isThere: true });
    await asIntake().retain.mutate(word(held, { version: 2, fetchUntil: hours(-1) }));
    await untilGone(held);
  });
});

describe('intake’s word on a request', () => {
  it('holds its bundle, and lets it go once the hold is lifted', async () => {
    const [held, other] = [await issued(), await issued()];
    await asIntake().retain.mutate(word(held, { held: true }));
    await Promise.all([swept(held), swept(other)]);
    await untilGone(other);
    expect(await bundleOf(held)).toMatchObject({ isThere: true });
    await expect(release(held)).rejects.toMatchObject({ data: { appCode: 'PAYLOAD_EXPIRED' } });
    await asIntake().retain.mutate(word(held, { version: 2 }));
    await untilGone(held);
  });

  it('that comes late never replaces a newer one', async () => {
    const [held, other] = [await issued(), await issued()];
    await asIntake().retain.mutate(word(held, { version: 3, held: true }));
    await asIntake().retain.mutate(word(held, { version: 2, erase: 'ALL' }));
    expect(await bundleOf(held)).toMatchObject({ days: 30, isThere: true });
    await asIntake().retain.mutate(word(other, { version: 2 }));
    await asIntake().retain.mutate(word(other, { version: 1, held: true }));
    await swept(other);
    await untilGone(other);
  });

  it('to erase ends a bundle before the applicant’s days are over, and repeats safely', async () => {
    const requestId = await issuedToApplicant();
    expect(await asIntake().retain.mutate(word(requestId, { erase: 'SECRETS' }))).toEqual({ changed: 1 });
    await untilGone(requestId);
    expect(await asIntake().retain.mutate(word(requestId, { erase: 'SECRETS' }))).toEqual({ changed: 0 });
  });

  it('to erase all forgets whom an abandoned serial number was to name', async () => {
    const requestId = await issued();
    const [canary] = await scene.env.database.query<{ tbs: Buffer }>(
      `insert into generation.serial_number (serial, request_id, attempt, fence, state, tbs)
       values ($1, $2, 1, 1, 'ABANDONED', 'a canary named Pazmiño') returning tbs`,
      [`4${requestId.replaceAll('-', '').toUpperCase()}0000000`, requestId],
    );
    expect(canary?.tbs).toBeTruthy();
    await asIntake().retain.mutate(word(requestId, { erase: 'ALL' }));
    const rows = await scene.env.database.query<{ state: string; kept: boolean }>(
      'select state, tbs is not null as kept from generation.serial_number where request_id = $1 order by state',
      [requestId],
    );
    // The number of the certificate stands in its own row alone.
    expect(rows).toEqual([{ state: 'ABANDONED', kept: false }]);
  });
});

describe('what is held', () => {
  it('is told by kind, with its end and the rule', async () => {
    const requestId = await issued();
    const told = async () =>
      (await asIntake().holding.query({ requestIds: [requestId, uuidv7()] })).items.map(
        ({ kind, rule, until }) => [kind, rule, until === null],
      );
    expect(await told()).toEqual([
      ['CERTIFICATE', 'REGISTER', true],
      ['BUNDLE', 'DELIVERY', false],
    ]);
    await asIntake().retain.mutate(word(requestId, { held: true }));
    expect((await told())[1]).toEqual(['BUNDLE', 'LEGAL_HOLD', true]);
    await asIntake().retain.mutate(word(requestId, { version: 2, erase: 'SECRETS' }));
    await untilGone(requestId);
    expect(await told()).toEqual([['CERTIFICATE', 'REGISTER', true]]);
  });
});

describe('the procedures of retention', () => {
  it('answer each only the services of its row', async () => {
    const requestIds = [uuidv7()];
    const codeOf = (call: Promise<unknown>) =>
      call.then(
        () => 'OK',
        (error: unknown) => toAppError(error).code,
      );
    // What the bus does not let a service call, also under another's name, is to the caller a fault of its own.
    const asNotifier = scene.env.intakePeer.serviceClient(undefined, 'notifier');
    const grant = await grantOf(scene.env, uuidv7(), { purpose: 'purge', azp: 'notifier' });
    expect(await codeOf(asNotifier.bundles.purge.mutate({ grant }))).toBe('INTERNAL_ERROR');
    expect(await codeOf(asIntake().purge.mutate({ grant }))).toBe('INTERNAL_ERROR');
    for (const self of ['notifier', 'intake'] as const) {
      const { bundles } = scene.notifier.serviceClient(undefined, self);
      expect(await codeOf(bundles.retain.mutate(word(uuidv7(), { held: true })))).toBe('INTERNAL_ERROR');
      expect(await codeOf(bundles.holding.query({ requestIds }))).toBe('INTERNAL_ERROR');
    }
  });
});
