import type { OperatorInput } from '@rubrica/contracts/operators/procedures';
import { disposeAfterAll, pollFor } from '@rubrica/testkit';
import { beforeAll, describe, expect, it } from 'vitest';
import { freshRequestId } from './support/fresh-evidence.ts';
import { makeSimplified } from './support/plain-families.ts';
import {
  asOperator,
  asPartner,
  makeRegistration,
  partnerIds,
  runningIntake,
} from './support/running-intake.ts';

type Filters = OperatorInput<'requests.search'> extends infer Input ? Partial<Input> : never;

const applicants = [
  { applicantName: 'María José', applicantLastName: 'Ñúñez', email: 'maria.nunez@example.com' },
  { applicantName: 'Mario', applicantLastName: 'Pazmiño', email: 'Mario@Example.com' },
  { applicantName: 'José', applicantLastName: "D'Angelo", email: 'jose@example.com' },
  { applicantName: 'Ana', applicantLastName: 'Marín Josefa', email: 'ana@other.example' },
] as const;
/** Newest first, as a search shows them. */
const registered: { requestId: string; index: number }[] = [];

const intake = await disposeAfterAll(runningIntake());
for (const [index, applicant] of applicants.entries()) {
  const requestId = freshRequestId();
  const partner = asPartner(index % 2 === 0 ? 'sandbox' : 'other');
  await intake.client(partner).requests.register.mutate(makeRegistration(applicant, { requestId }));
  registered.unshift({ requestId, index });
}
const isValidated = async () => (await indexes({ status: 'GENERATING' })).length === applicants.length;
await pollFor(isValidated, { deadlineMs: 60_000, what: 'the end of all validations' });

function reviewer() {
  return intake.operators(asOperator('reviewer')).requests;
}

/** Which applicants are found, newest first; those that no test registered by itself are -1. */
async function indexes(filters: Filters): Promise<number[]> {
  const { items } = await reviewer().search.query({ limit: 100, ...filters });
  return items.map((item) => registered.find(({ requestId }) => requestId === item.requestId)?.index ?? -1);
}

describe('a request is found', () => {
  it.each<[string, Filters, number[]]>([
    ['a word of the name, without accents and case', { name: 'MARIA' }, [0]],
    ['the beginning of a word', { name: 'mar' }, [3, 1, 0]],
    ['words in any order', { name: 'nunez jose' }, [0]],
    ['words of which each begins one of the name', { name: 'jos mar' }, [3, 0]],
    ['what an apostrophe parts', { name: 'angelo' }, [2]],
    ['a single letter', { name: 'd' }, [2]],
    ['nothing that stands within a word', { name: 'ngelo' }, []],
    ['an e-mail address, whatever its case', { email: 'MARIO@example.com' }, [1]],
    ['the beginning of an address', { email: 'mari' }, [1, 0]],
    ['nothing but the beginning of an address', { email: 'example.com' }, []],
    ['name and address', { name: 'mar', email: 'ana' }, [3]],
    ['name, partner and states', { name: 'jose', partnerId: '', status: 'GENERATING', family: 'TV' }, [2, 0]],
    ['a name among states that it has not', { name: 'jose', status: 'ERROR' }, []],
    ['an address among states that it has not', { email: 'jose@example.com', status: 'ERROR' }, []],
  ])('by %s', async (_what, filters, expected) => {
    const partner = filters.partnerId === '' ? { partnerId: partnerIds.sandbox } : {};
    expect(await indexes({ ...filters, ...partner })).toEqual(expected);
  });

  it('within the time of its registration, beside any other filter', async () => {
    const { items } = await reviewer().search.query({});
    const createdDates = items.map(({ createdDate }) => createdDate);
    const [, newer = '', older = ''] = createdDates;
    expect(await indexes({ to: newer })).toEqual([1, 0]);
    expect(await indexes({ from: newer })).toEqual([3, 2]);
    expect(await indexes({ from: older, to: newer })).toEqual([1]);
    expect(await indexes({ from: older, name: 'mar' })).toEqual([3, 1]);
    expect(await indexes({ to: newer, email: 'mari', family: 'TV' })).toEqual([1, 0]);
    expect(await indexes({ from: newer, partnerId: partnerIds.sandbox })).toEqual([2]);
  });

  it('by its reference or applicant only where the name is theirs', async () => {
    const [newest] = (await reviewer().search.query({})).items;
    const { referenceTransaction, identificationNumber } = newest ?? {};
    expect(await indexes({ referenceTransaction, name: 'ana' })).toEqual([3]);
    expect(await indexes({ referenceTransaction, name: 'mario' })).toEqual([]);
    expect(await indexes({ identificationNumber, email: 'ana@' })).toEqual([3]);
    expect(await indexes({ identificationNumber, email: 'jose' })).toEqual([]);
  });

  it('with the name of its applicant', async () => {
    const { items } = await reviewer().search.query({ name: 'nunez' });
    expect(items.map(({ name }) => name)).toEqual(['María José Ñúñez Pazmiño']);
  });

  it('by no name without a letter', async () => {
    await expect(reviewer().search.query({ name: '--' })).rejects.toMatchObject({
      data: { appCode: 'FIELD_INVALID' },
    });
  });
});

describe('among more requests than are looked at for a name', () => {
  beforeAll(async () => {
    // Younger than those of the tests, so that they hide behind them.
    await intake.query(`
      with made as (
        insert into intake.request (id, family, partner_id, reference_transaction, identification_number, application_type,
          certificate_type, period, details, status, validation_status, password_origin, created_at)
        select gen_random_uuid(), 'TV', '${partnerIds.sandbox}', 'many-' || n, '1710034065', 'NATURAL_PERSON',
          'TRADITIONAL_SIGNATURE', 'ONE_YEAR', '{}', 'GENERATING', 'COMPLETED', 'PARTNER',
          date_trunc('milliseconds', now()) + n * interval '1 millisecond'
        from generate_series(1, 6500) as n returning id, created_at
      )
      insert into intake.request_word (word, created_at, request_id, name)
      select 'rosa', created_at, id, ' rosa' from made`);
  });

  it('a rare one is found all the same, with and without states', async () => {
    expect(await indexes({ name: 'ma', status: 'GENERATING' })).toEqual([3, 1, 0]);
    expect(await indexes({ name: 'ma', partnerId: partnerIds.sandbox })).toEqual([0]);
    expect(await indexes({ name: 'ma' })).toEqual([3, 1, 0]);
  });

  it('pages of a name follow each other and miss none', async () => {
    const seen = new Set<string>();
    let cursor: string | undefined;
    for (let pages = 0; pages < 100; pages += 1) {
      const page = await reviewer().search.query({ name: 'ros', limit: 100, ...(cursor && { cursor }) });
      for (const { requestId } of page.items) seen.add(requestId);
      if (page.nextCursor === null) break;
      cursor = page.nextCursor;
    }
    expect(seen.size).toBe(6_500);
  });
});

describe('among more requests than one look goes over', () => {
  /** Half of them are called Rosalba and half Elva, and four both; of 2,604 in error four are called Rosalba. */
  beforeAll(async () => {
    await intake.query(`
      with made as (
        insert into intake.request (id, family, partner_id, reference_transaction, identification_number, application_type,
          certificate_type, period, details, status, validation_status, password_origin, created_at)
        select gen_random_uuid(), 'TV', '${partnerIds.other}', 'far-' || n, '1710034065', 'NATURAL_PERSON',
          'TRADITIONAL_SIGNATURE', 'ONE_YEAR', '{}', case when n % 10 = 1 or n % 6500 = 5 then 'ERROR' else 'CANCELLED' end,
          'ERROR', 'PARTNER', timestamptz '2026-01-01' + n * interval '1 millisecond'
        from generate_series(1, 26000) as n returning id, created_at, split_part(reference_transaction, '-', 2)::int as n
      ), named as (
        select *, case when n % 6500 in (4, 5) then ' rosalba elva' when n % 2 = 0 then ' rosalba' else ' elva' end as name
        from made
      )
      insert into intake.request_word (word, created_at, request_id, name)
      select unnest(string_to_array(substr(name, 2), ' ') || ('@far' || n || '@example.com')), created_at, id, name from named`);
  });

  async function stored(condition: string): Promise<string[]> {
    const rows = await intake.query<{ id: string }>(`
      select id from intake.request join lateral (
        select name, max(word) filter (where word like '@%') as address from intake.request_word
        where request_id = request.id group by name
      ) as known on true
      where reference_transaction like 'far-%' and ${condition} order by created_at desc, id desc`);
    return rows.map(({ id }) => id);
  }

  it.each<[string, Filters, string]>([
    ['words that few have together', { name: 'rosalba elva' }, `name like '% rosalba elva%'`],
    [
      'a name that few have among states',
      { name: 'rosalba', status: 'ERROR' },
      `name like '% rosalba%' and status = 'ERROR'`,
    ],
    [
      'a name and a frequent beginning of addresses',
      { name: 'rosalba', email: 'far1' },
      `name like '% rosalba%' and address like '@far1%'`,
    ],
  ])(
    '%s are found to the last, look by look, and each says how far it went',
    async (_what, filters, condition) => {
      const expected = await stored(condition);
      const found: string[] = [];
      const ends: string[] = [];
      let cursor: string | undefined;
      for (let looks = 0; looks < 100; looks += 1) {
        const to = '2026-02-01T00:00:00.000Z';
        const page = await reviewer().search.query({ ...filters, to, limit: 100, ...(cursor && { cursor }) });
        const { lookedBackTo } = page;
        found.push(...page.items.map(({ requestId }) => requestId));
        if (lookedBackTo !== undefined) ends.push(lookedBackTo);
        if (page.nextCursor === null) break;
        cursor = page.nextCursor;
      }
      expect(found).toEqual(expected);
      expect(expected.length).toBeGreaterThan(0);
      expect(ends.length).toBeGreaterThan(0);
      expect(ends).toEqual(ends.toSorted().toReversed());
    },
  );
});

it('a corrected name is found, and the former is not', async () => {
  const requestId = freshRequestId();
  const partner = intake.client(asPartner('other'));
  await partner.requests.register.mutate(
    makeRegistration({ applicantName: 'Equivocada', email: 'corrected@example.com' }, { requestId }),
  );
  const isIn = (status: 'GENERATING' | 'ERROR') => async () =>
    (await reviewer().search.query({ email: 'corrected@', status })).items.length === 1;
  await pollFor(isIn('GENERATING'), { deadlineMs: 60_000, what: 'the order of its certificate' });
  await intake.tell('events.certificate.failed', {
    requestId,
    attempt: 1,
    code: 'CERTIFICATE_SIGNING_FAILED',
  });
  await pollFor(isIn('ERROR'), { deadlineMs: 60_000, what: 'the error' });
  const corrections = { applicantName: 'Corregida' };
  await partner.requests.retry.mutate({ family: 'TV', requestId, corrections, faults: [] });
  const found = async (name: string) => (await reviewer().search.query({ name })).items.length;
  expect([await found('corregida'), await found('equivocada')]).toEqual([1, 0]);
});

it('a name that the registry gave is found', async () => {
  const registration = makeSimplified({ emailAddress: 'by.registry@example.com' });
  await intake.client(asPartner('sandbox')).requests.register.mutate(registration);
  const named = await pollFor(
    async () => {
      const { items } = await reviewer().search.query({ email: 'by.registry@example.com' });
      return items[0]?.name ?? undefined;
    },
    { deadlineMs: 60_000, what: 'the name of the registry' },
  );
  const { items } = await reviewer().search.query({ name: named, family: 'FS' });
  expect(items.map(({ requestId }) => requestId)).toEqual([registration.requestId]);
});
