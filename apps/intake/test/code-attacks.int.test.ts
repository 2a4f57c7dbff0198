import { DAY_MS, HOUR_MS } from '@rubrica/contracts/shared/durations';
import { createDatabase, type Database } from '@rubrica/database/connection';
import { disposeAfterAll, pollFor } from '@rubrica/testkit';
import { describe, expect, it, onTestFinished } from 'vitest';
import { schema } from '../src/entities.ts';
import { fault, otherThan } from './support/claims.ts';
import { newBrowser, revocationGround } from './support/revocations.ts';

const logger = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

/** An attacker with intake's database role who guesses codes of others; intake runs meanwhile. */
const scene = await disposeAfterAll(revocationGround());
const ground = scene.ground;
const attacker = await disposeAfterAll(
  createDatabase({ url: ground.intake.ground.service.appUrl, schema, entities: [], logger }),
);

function approved() {
  return ground.approved({ certificateType: 'TRANSACTIONAL_SIGNATURE', period: undefined });
}
type Link = Awaited<ReturnType<typeof approved>>;

async function check({ token, sealedToken }: Link, code: string): Promise<unknown> {
  return ground.claims.checkCode.mutate({ sealedToken, sealedCode: await ground.seal(code, token) });
}

interface Guessed {
  readonly requestId: string;
  readonly code: string;
  guess(code: string): Promise<unknown>;
}

const ways: Readonly<Record<string, () => Promise<Guessed>>> = {
  'to claim': async () => {
    const link = await approved();
    const code = await ground.sendCode(link);
    return { requestId: link.requestId, code, guess: (given) => ground.claim(link, given) };
  },
  'to claim, checked alone': async () => {
    const link = await approved();
    const code = await ground.sendCode(link);
    return { requestId: link.requestId, code, guess: (given) => check(link, given) };
  },
  'to revoke by the link': async () => {
    const { requestId, link } = await scene.issued();
    await scene.send(link);
    const code = await scene.codeOf(requestId);
    return { requestId, code, guess: (given) => scene.revoke(link, given) };
  },
  'to revoke by number': async () => {
    const { requestId, pair } = await scene.issued();
    const browser = newBrowser();
    await scene.send(pair, browser);
    const code = await scene.codeOf(requestId);
    return { requestId, code, guess: (given) => scene.revoke(pair, given, { browser }) };
  },
};

/** A session with intake's role that holds a transaction open for as long as it wants. */
function openSession(): Database {
  const url = ground.intake.ground.service.appUrl;
  const session = { poolSize: 1, idleInTransactionTimeoutMs: 60_000 };
  const database = createDatabase({ url, schema, entities: [], logger, ...session });
  onTestFinished(() => database.close());
  return database;
}

/** Statements of intake that wait for a lock, as its role may see them. */
async function waiting(): Promise<{ readonly pid: number; readonly query: string }[]> {
  return attacker.execute(
    `select pid, query from pg_stat_activity where wait_event_type = 'Lock' and usename = current_user
       and datname = current_database() and pid <> pg_backend_pid()`,
  );
}

/** Makes a guess while the session keeps the rows of codes, until intake waits for them or has answered. */
async function guessWhileHeld(guess: Promise<unknown>) {
  const answer = guess.then(
    () => 'right',
    (error: { data?: { appCode?: string } }) => error.data?.appCode ?? 'failed',
  );
  let isAnswered = false;
  void answer.then(() => {
    isAnswered = true;
  });
  let seen: Awaited<ReturnType<typeof waiting>> = [];
  await pollFor(
    async () => {
      seen = await waiting();
      return seen.length > 0 || isAnswered;
    },
    { what: 'intake waits or has answered' },
  );
  return { answer, seen };
}

async function storedCodes(requestId: string): Promise<string[]> {
  const rows = await attacker.execute<{ row: object }>(
    'select to_jsonb(claim_code) as row from claim_code where request_id = $1',
    [requestId],
  );
  return rows.map(({ row }) => JSON.stringify(row));
}

async function putBack(rows: readonly string[]): Promise<void> {
  for (const row of rows) {
    await attacker.execute(
      `insert into claim_code select * from jsonb_populate_record(null::claim_code, $1::jsonb)
       on conflict do nothing returning 1`,
      [row],
    );
  }
}

function deleteCodes(requestId: string): Promise<unknown> {
  return attacker.execute('delete from claim_code where request_id = $1 returning 1', [requestId]);
}

async function triesInAuditLog(requestId: string): Promise<number> {
  const [row] = await ground.intake.query<{ count: number }>(
    `select count(*)::int as count from intake.audit where target = $1
       and action in ('claims.tryCode', 'claims.wrongCode')`,
    [`request:${requestId}`],
  );
  return row?.count ?? 0;
}

describe.each(Object.entries(ways))('a code %s', (_way, prepare) => {
  it('whose row is deleted while each guess is in hand, is compared five times', async () => {
    const { requestId, code, guess } = await prepare();
    const rows = await storedCodes(requestId);
    const before = await triesInAuditLog(requestId);
    const session = openSession();
    for (let tries = 0; tries < 5; tries += 1) {
      await session.execute('begin');
      await session.execute('delete from claim_code where request_id = $1', [requestId]);
      const { answer } = await guessWhileHeld(guess(otherThan(code)));
      await session.execute('commit');
      expect(await answer).toBe('OTP_INVALID');
      await putBack(rows);
    }
    expect((await triesInAuditLog(requestId)) - before).toBe(5);
    await expect(guess(code)).rejects.toThrow();
  });

  it('is compared by nobody whose count is kept from its commit, and what waits does not say if it is right', async () => {
    const { requestId, code, guess } = await prepare();
    const session = openSession();
    const queries: string[] = [];
    for (const given of [otherThan(code), code]) {
      await session.execute('begin');
      await session.execute('select 1 from claim_code where request_id = $1 for update', [requestId]);
      const { answer, seen } = await guessWhileHeld(guess(given));
      for (const { pid } of seen) await attacker.execute('select pg_terminate_backend($1)', [pid]);
      expect(['right', 'OTP_INVALID']).not.toContain(await answer);
      await session.execute('rollback');
      queries.push(...seen.map(({ query }) => query));
    }
    expect(queries).toHaveLength(2);
    expect(queries[0]).toBe(queries[1]);
  });
});

describe('rows of codes that are deleted after each code', () => {
  /** Rounds of a new code and five wrong ones, and how many of them were compared. */
  async function guessed(
    rounds: number,
    round: () => Promise<Omit<Guessed, 'requestId'>>,
    requestId: string,
  ) {
    let compared = 0;
    for (let n = 0; n < rounds; n += 1) {
      const { code, guess } = await round();
      for (let tries = 0; tries < 5; tries += 1) {
        const answer = await guess(otherThan(code)).catch(
          (error: { data?: { appCode?: string } }) => error.data?.appCode,
        );
        if (answer === 'OTP_INVALID') compared += 1;
      }
      await deleteCodes(requestId);
      ground.pass(HOUR_MS);
    }
    return compared;
  }

  it('buy no guesses: fifteen of a claim a day', async () => {
    const link = await approved();
    const round = async () => ({
      code: await ground.sendCode(link),
      guess: (given: string) => ground.claim(link, given),
    });
    expect(await guessed(3, round, link.requestId)).toBe(15);
    await expect(round()).rejects.toMatchObject(fault('OTP_ATTEMPTS_EXCEEDED'));
    ground.pass(DAY_MS);
    expect(await ground.claim(link, await ground.sendCode(link))).toMatchObject({ state: 'IN_PROGRESS' });
  });

  it('buy no guesses: fifteen of a revocation by link a day', async () => {
    const { requestId, link } = await scene.issued();
    const round = async () => {
      await scene.send(link);
      return { code: await scene.codeOf(requestId), guess: (given: string) => scene.revoke(link, given) };
    };
    expect(await guessed(3, round, requestId)).toBe(15);
    await expect(round()).rejects.toMatchObject(fault('OTP_ATTEMPTS_EXCEEDED'));
  });

  it('lock nobody out: tries that intake has not counted are none', async () => {
    const link = await approved();
    const code = await ground.sendCode(link);
    const forged = await attacker.execute(
      `insert into audit (at, actor, action, target, details)
       select now(), 'service:intake', 'claims.tryCode', 'request:' || request_id,
         jsonb_build_object('codeId', id, 'purpose', 'claim', 'group', 'claim', 'at', to_jsonb(now()))
       from claim_code cross join generate_series(1, 15) where request_id = $1 returning 1`,
      [link.requestId],
    );
    expect(forged).toHaveLength(15);
    expect(await ground.claim(link, code)).toMatchObject({ state: 'IN_PROGRESS' });
  });

  it('buy no codes: five of a claim an hour', async () => {
    const link = await approved();
    for (let sent = 0; sent < 5; sent += 1) {
      await ground.sendCode(link);
      await deleteCodes(link.requestId);
    }
    await expect(ground.sendCode(link)).rejects.toMatchObject(fault('RATE_LIMITED'));
    expect(new Date((await ground.claims.view.query(link)).nextCodeAt).getTime()).toBeGreaterThan(
      ground.clock().getTime(),
    );
    ground.pass(HOUR_MS);
    await ground.sendCode(link);
  });

  it('buy few codes by number: fifteen an hour and 35 a day to one certificate', async () => {
    const { requestId, pair } = await scene.issued();
    const sent = async (times: number) => {
      for (let asked = 0; asked < times; asked += 1) {
        await scene.send(pair, newBrowser());
        await deleteCodes(requestId);
      }
      return scene.sentTo(requestId);
    };
    expect(await sent(18)).toBe(15);
    ground.pass(HOUR_MS);
    expect(await sent(18)).toBe(30);
    ground.pass(HOUR_MS);
    expect(await sent(8)).toBe(35);
  });

  it('keep a subscriber from nothing: a stranger who used up codes and tries by number leaves the link its own', async () => {
    const { requestId, serialNumber, pair, link } = await scene.issued();
    for (let sent = 0; sent < 10; sent += 1) {
      const browser = newBrowser();
      await scene.send(pair, browser);
      const wrong = otherThan(await scene.codeOf(requestId));
      for (let tries = 0; tries < 5; tries += 1)
        await scene.revoke(pair, wrong, { browser }).catch(() => undefined);
    }
    for (let sent = 0; sent < 5; sent += 1) await scene.send(link);
    await expect(scene.send(link)).rejects.toMatchObject(fault('RATE_LIMITED'));
    await scene.revoke(link, await scene.codeOf(requestId));
    expect(scene.revoked.some((one) => one.serialNumber === serialNumber)).toBe(true);
  });
});

it('a right code is one of the five of its code', async () => {
  const link = await approved();
  const code = await ground.sendCode(link);
  for (let tries = 0; tries < 5; tries += 1) await check(link, code);
  await expect(check(link, code)).rejects.toMatchObject(fault('OTP_ATTEMPTS_EXCEEDED'));
});

it('a code that was replaced after its try was counted does no work', async () => {
  const link = await approved();
  const code = await ground.sendCode(link);
  const session = openSession();
  await session.execute('begin');
  await session.execute('select 1 from claim_code where request_id = $1 for update', [link.requestId]);
  const { answer } = await guessWhileHeld(ground.claim(link, code));
  await session.execute('update claim_code set digest = null, sealed_key = null where request_id = $1', [
    link.requestId,
  ]);
  await session.execute('commit');
  expect(await answer).toBe('OTP_EXPIRED');
  expect(await ground.timelineOf(link.requestId)).not.toContain('claim');
});

it('a code is compared five times by sessions whose role sees no commit of others, however many guesses come at once', async () => {
  const link = await approved();
  const code = await ground.sendCode(link);
  const session = openSession();
  const [row] = await session.execute<{ name: string }>('select current_database() as name');
  await session.execute(
    `alter role current_user in database ${row?.name} set default_transaction_isolation = 'repeatable read'`,
  );
  await session.execute(
    `select pg_terminate_backend(pid) from pg_stat_activity
       where usename = current_user and datname = current_database() and pid <> pg_backend_pid()`,
  );
  await pollFor(() => ground.claims.view.query(link).then(Boolean, () => false), { what: 'intake answers' });
  const answers = await Promise.all(
    Array.from({ length: 20 }, () =>
      ground
        .claim(link, otherThan(code))
        .catch((error: { data?: { appCode?: string } }) => error.data?.appCode),
    ),
  );
  expect(answers.filter((answer) => answer === 'OTP_INVALID')).toHaveLength(5);
});

it('sendings that the database says are of a later year keep no code from being sent', async () => {
  const link = await approved();
  await attacker.execute(
    `insert into timeline (request_id, at, trigger, actor, status, validation_status)
     select request_id, '2099-01-01', 'sendDownloadCode', actor, status, validation_status
     from (select * from timeline where request_id = $1 limit 1) as first, generate_series(1, 5)`,
    [link.requestId],
  );
  expect(await ground.sendCode(link)).toMatch(/^\d{6}$/);
});
