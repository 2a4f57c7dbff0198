import { makeCedula, pollFor } from '@rubrica/testkit';
import { freePort } from '@rubrica/testkit/processes';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { crashPoints } from '../src/base/crash-points.ts';
import { type ClaimGround, claimGround } from './support/claims.ts';
import { arm, startProcess } from './support/intake-process.ts';
import { makeSimplified } from './support/plain-families.ts';
import { asOperator, asPartner, partnerIds } from './support/running-intake.ts';

const limit = 50;
/** Four processes load all their sources at once, whatever else the machine does. */
const patienceMs = 400_000;
type Input = ReturnType<typeof makeSimplified>;
type Copy = ReturnType<typeof startProcess>;

let ground: ClaimGround;
const copies: Copy[] = [];

beforeAll(async () => {
  ground = await claimGround();
  const admin = ground.intake.operators(asOperator('admin'));
  await admin.partners.update.mutate({ id: partnerIds.sandbox, quota: { TRADITIONAL_SIGNATURE: limit } });
  requests = await signIn();
  await ground.intake.stopService();
  await Promise.all(Array.from({ length: 4 }, startCopy));
}, patienceMs);
afterAll(async () => {
  await Promise.all(copies.map((copy) => copy[Symbol.asyncDispose]()));
  await ground?.[Symbol.asyncDispose]();
});

async function startCopy(): Promise<Copy> {
  const port = await freePort();
  const copy = startProcess({ ...ground.intake.ground.env, MANAGEMENT_PORT: `${port}` });
  copies.push(copy);
  const isReady = () =>
    fetch(`http://127.0.0.1:${port}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
  await pollFor(isReady, { what: 'a copy that is ready', deadlineMs: patienceMs, everyMs: 200 });
  return copy;
}

let requests: () => ReturnType<ClaimGround['intake']['client']>['requests'];
/** One for all calls, whose rights are read once: a connection for each would be more than PostgreSQL has. */
async function signIn() {
  const [row] = await ground.intake.query<{ gen: number }>('select gen from intake.partner where id = $1', [
    partnerIds.sandbox,
  ]);
  const client = ground.intake.client(Object.assign(asPartner('sandbox'), { gen: row?.gen }));
  return () => client.requests;
}
/** Of an applicant who has died, as the sandbox has it: refused by the checks. */
const deceased = '2450000506';
const codeOf = (error: unknown) => (error as { data?: { appCode?: string } }).data?.appCode;

const unanswered = new Set<Input>();
/** Called again with the same id until it is answered, as the gateway does: whoever was asked may have died of it. */
async function answerOf(input: Input, call: () => Promise<unknown>): Promise<string> {
  for (;;) {
    const answer = await call().then(
      () => 'taken',
      (error: unknown) => codeOf(error) ?? 'none',
    );
    if (!['none', 'SERVICE_UNAVAILABLE', 'INTERNAL_ERROR'].includes(answer)) return answer;
    unanswered.add(input);
  }
}
const register = (input: Input) => answerOf(input, () => requests().register.mutate(input));
const cancel = (input: Input) =>
  answerOf(input, () => requests().cancel.mutate({ family: 'FS', requestId: input.requestId, faults: [] }));

/** What the counts say and what the requests say, of one moment. */
async function counts(): Promise<{ used: number; counted: number; requests: number }> {
  const [row] = await ground.intake.query<{ used: number; counted: number; requests: number }>(
    `select (select coalesce(sum(used), 0)::int from intake.quota_use where partner_id = $1) as used,
       count(*) filter (where status not in ('CANCELLED', 'REFUSED', 'EXPIRED'))::int as counted,
       count(*)::int as requests
     from intake.request where partner_id = $1`,
    [partnerIds.sandbox],
  );
  return row ?? { used: 0, counted: 0, requests: 0 };
}

/** Until told to stop: at no moment the counts are other than the requests, or more than the quota. */
function watch() {
  let isOver = false;
  const watched = (async () => {
    while (!isOver) {
      const { used, counted } = await counts();
      expect(used).toBe(counted);
      expect(used).toBeLessThanOrEqual(limit);
    }
  })();
  return () => {
    isOver = true;
    return watched;
  };
}

it('of 200 registrations at once over four copies, three of which are killed, counts what there is and never more than it allows', async () => {
  const inputs = Array.from({ length: 200 }, (_, index) =>
    makeSimplified({ identificationNumber: index % 8 === 0 ? deceased : makeCedula() }),
  );
  const { env } = ground.intake.ground;
  // One dies with its first registration committed and not answered, another one so with a cancellation.
  await arm(env, crashPoints.afterRegistration);
  await arm(env, crashPoints.afterCancel);
  const stopWatching = watch();
  const answers = new Map<Input, string>();
  const coming = Promise.all(
    inputs.map(async (input, index) => {
      answers.set(input, await register(input));
      // While others still register, every third of those that were taken goes again.
      if (index % 3 === 0 && answers.get(input) === 'taken') await cancel(input);
    }),
  );
  const dead = () => copies.filter((copy) => copy.isOver());
  await pollFor(() => Promise.resolve(dead().length === 2), { what: 'two deaths' });
  await copies.find((copy) => !copy.isOver())?.kill();
  await coming;
  await stopWatching();

  const known = await ground.intake.query<{ id: string }>(
    'select id from intake.request where partner_id = $1',
    [partnerIds.sandbox],
  );
  const stored = new Set(known.map(({ id }) => id));
  for (const input of inputs) {
    // The first call of one that was told 429 at its second may have been stored meanwhile.
    const isTaken = answers.get(input) === 'taken' || (unanswered.has(input) && stored.has(input.requestId));
    expect(stored.has(input.requestId)).toBe(isTaken);
  }
  expect(new Set(answers.values())).toEqual(new Set(['taken', 'QUOTA_EXCEEDED']));
  expect(dead()).toHaveLength(3);
});

it('what was given back meanwhile is there for others, to the last one', async () => {
  const stopWatching = watch();
  const free = limit - (await counts()).counted;
  const later = await Promise.all(Array.from({ length: free + 4 }, () => register(makeSimplified())));
  expect(later.filter((answer) => answer === 'taken').length).toBeGreaterThanOrEqual(free);
  await stopWatching();
});
