import type { OperatorInput } from '@rubrica/contracts/operators/procedures';
import type { Caller } from '@rubrica/contracts/shared/caller';
import type { OperatorRole } from '@rubrica/contracts/shared/enumerations';
import { toAppError } from '@rubrica/process/errors';
import { uuidv7 } from '@rubrica/process/time';
import { disposeAfterAll } from '@rubrica/testkit';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { listenToEvents } from './support/events.ts';
import { generation } from './support/generation.ts';
import { makeOrder, type OrderOverrides } from './support/orders.ts';
import { connectPeer } from './support/peers.ts';

type Filters = Partial<OperatorInput<'certificates.search'>>;

const orders: readonly OrderOverrides[] = [
  { period: 'ONE_YEAR', subject: { identificationNumber: '1710034065' } },
  {
    period: 'TWO_YEARS',
    subject: {
      identificationNumber: '0102030400',
      givenName: 'MARIO',
      firstSurname: 'ZAMBRANO',
      secondSurname: null,
    },
  },
  {
    period: 'ONE_YEAR',
    subject: {
      identificationNumber: '0926687856',
      givenName: 'ANA MARÍA',
      firstSurname: 'PÉREZ',
      secondSurname: null,
    },
  },
  { period: 'THREE_YEARS', subject: { identificationNumber: '1710034065', secondSurname: "D'ANGELO" } },
];

const env = await disposeAfterAll(generation());
const gateway = await disposeAfterAll(connectPeer('gateway', env.ground));
const log = await disposeAfterAll(listenToEvents(env.intakePeer));
await disposeAfterAll(env.start());
for (const overrides of orders) await order(overrides);
const [, , second] = (await certificates().search.query({})).items;
await certificates('admin').revoke.mutate({ id: second?.id ?? '', revocationReason: 'superseded' });
/** Newest first, as a search shows them. */
const all = (await certificates().search.query({})).items;

/** @returns the serial number */
async function order(overrides: OrderOverrides): Promise<string> {
  const job = { requestId: uuidv7(), attempt: 1 };
  env.intake.place(makeOrder(job, overrides));
  await env.intake.publishJob(job);
  await vi.waitFor(() => expect(log.of(job.requestId)).toHaveLength(1), { timeout: 120_000, interval: 10 });
  const [event] = log.of(job.requestId);
  return event?.subject === 'issued' ? event.serialNumber : '';
}

function certificates(role: OperatorRole = 'reviewer') {
  const caller: Caller = { kind: 'operator', operatorId: uuidv7(), email: `${role}@rubrica.test`, role };
  return gateway.operatorClient(caller).certificates;
}

/** Which orders are found, newest first. */
async function indexes(filters: Filters): Promise<number[]> {
  const { items } = await certificates().search.query(filters);
  return items.map(({ id }) => orders.length - 1 - all.findIndex((row) => row.id === id));
}

describe('a certificate is found', () => {
  it.each<[string, Filters, number[]]>([
    ['nothing in particular', {}, [3, 2, 1, 0]],
    ['the identification number', { identificationNumber: '1710034065' }, [3, 0]],
    ['no beginning of the number', { identificationNumber: '171003406' }, []],
    ['a word of the name, without accents and case', { name: 'perez' }, [2]],
    ['the beginning of a word', { name: 'MARÍ' }, [3, 2, 1, 0]],
    ['short beginnings of words', { name: 'ma pe' }, [2]],
    ['name and number', { name: 'angelo', identificationNumber: '1710034065' }, [3]],
    ['what is in force', { status: 'VALID' }, [3, 2, 0]],
    ['what was revoked', { status: 'REVOKED' }, [1]],
    ['what has ended', { status: 'EXPIRED' }, []],
    ['name and status', { name: 'mario', status: 'REVOKED' }, [1]],
    ['name and another status', { name: 'mario', status: 'VALID' }, []],
  ])('by %s', async (_what, filters, expected) => {
    expect(await indexes(filters)).toEqual(expected);
  });

  it('by when it ends, with status, name and page by page', async () => {
    const [, , two, one] = all;
    const afterOne = one?.notAfter ?? '';
    const atTwo = two?.notAfter ?? '';
    const oneLater = new Date(Date.parse(afterOne) + 30 * 86_400_000).toISOString();
    expect(await indexes({ notAfterTo: oneLater })).toEqual([2, 0]);
    expect(await indexes({ notAfterFrom: oneLater })).toEqual([3, 1]);
    expect(await indexes({ notAfterFrom: atTwo, notAfterTo: atTwo })).toEqual([]);
    expect(await indexes({ notAfterFrom: atTwo, status: 'VALID' })).toEqual([3]);
    expect(await indexes({ notAfterFrom: oneLater, status: 'REVOKED' })).toEqual([1]);
    expect(await indexes({ notAfterTo: oneLater, name: 'ana' })).toEqual([2]);
    const first = await certificates().search.query({ notAfterTo: oneLater, limit: 1 });
    const cursor = first.nextCursor ?? '';
    expect((await certificates().search.query({ notAfterTo: oneLater, cursor })).items).toEqual([one]);
  });

  it('by its serial number or request only where the rest is so', async () => {
    const { serialNumber, requestId } = all[0] ?? {};
    expect(await indexes({ serialNumber, name: 'angelo' })).toEqual([3]);
    expect(await indexes({ serialNumber, status: 'REVOKED' })).toEqual([]);
    expect(await indexes({ requestId, identificationNumber: '0102030400' })).toEqual([]);
  });

  it('by no viewer who names an identification number', async () => {
    const refused = await certificates('viewer')
      .search.query({ identificationNumber: '1710034065' })
      .catch(toAppError);
    expect(refused).toMatchObject({ code: 'FORBIDDEN' });
    expect((await certificates('viewer').search.query({ name: 'perez' })).items).toHaveLength(1);
  });
});

describe('among more certificates than one look goes over', () => {
  /** Three oldest of Rosalba's, which the authority has signed: those of SQL have another's file, and no name finds them. */
  let oldest: string[];

  /** The newest are Elva's and in force; then all of Rosalba's are revoked, but for her three oldest. */
  beforeAll(async () => {
    oldest = [];
    for (let n = 1; n <= 3; n += 1) {
      const serial = await order({ subject: { givenName: 'ROSALBA' } });
      oldest.unshift(serial);
      await env.database.query(
        `with moved as (
           update generation.certificate set issued_at = timestamptz '2026-01-01' + $2 * interval '1 millisecond'
           where serial = $1 returning id, issued_at
         )
         update generation.certificate_word set issued_at = moved.issued_at from moved where certificate_id = moved.id`,
        [serial, n],
      );
    }
    const [any] = all;
    await env.database.query(`
      with numbered as materialized (select n, gen_random_uuid() as request_id from generate_series(4, 17000) as n),
      ordered as (
        insert into generation.issuance (request_id, attempt, state, finished_at)
        select request_id, 1, 'ISSUED', now() from numbered
      ), made as (
        insert into generation.certificate (id, request_id, partner_id, attempt, serial, issuer, profile, key_algorithm, subject,
          not_before, not_after, requested_not_after, der, issued_at, truncated, revoked_at, revocation_reason)
        select gen_random_uuid(), numbered.request_id, partner_id, 1, 'FA' || lpad(to_hex(n), 8, '0'), issuer, profile,
          key_algorithm, case when n > 15000 then 'CN=ELVA' else 'CN=ROSALBA' end, not_before, not_after, requested_not_after, der,
          timestamptz '2026-01-01' + n * interval '1 millisecond', truncated, case when n between 4 and 15000 then now() end,
          case when n between 4 and 15000 then 'superseded' end
        from generation.certificate cross join numbered where certificate.id = '${any?.id}'
        returning id, issued_at, subject
      )
      insert into generation.certificate_word (word, issued_at, certificate_id, name)
      select lower(substr(subject, 4)), issued_at, id, ' ' || lower(substr(subject, 4)) from made`);
  });

  const rosalbas = { name: 'rosalba', status: 'VALID' } as const;

  it('the oldest are found, look by look, and each says how far it went', async () => {
    const found: string[] = [];
    const ends: string[] = [];
    let cursor: string | undefined;
    for (let looks = 0; looks < 40; looks += 1) {
      const page = await certificates().search.query({ ...rosalbas, ...(cursor && { cursor }) });
      found.push(...page.items.map(({ serialNumber }) => serialNumber));
      if (page.lookedBackTo !== undefined) ends.push(page.lookedBackTo);
      if (page.nextCursor === null) break;
      cursor = page.nextCursor;
    }
    expect(found).toEqual(oldest);
    expect(ends.length).toBeGreaterThan(0);
    expect(ends).toEqual(ends.toSorted().toReversed());
  });

  it.each([
    [2, 'more than 2'],
    [4, 'find 3 valid'],
  ])('all are counted before they are revoked, where %i are meant', async (count, told) => {
    const wanted = {
      name: rosalbas.name,
      revocationReason: 'superseded',
      reason: 'replaced',
      count,
    } as const;
    const refused = await certificates('admin').revokeMany.mutate(wanted).catch(toAppError);
    expect(refused).toMatchObject({
      code: 'REQUEST_STATE_NOT_ALLOWED',
      publicMessage: expect.stringContaining(told),
    });
  });
});
