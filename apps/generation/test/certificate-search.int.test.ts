import type { OperatorInput, OperatorOutput } from '@rubrica/contracts/operators/procedures';
import type { Caller } from '@rubrica/contracts/shared/caller';
import type { OperatorRole } from '@rubrica/contracts/shared/enumerations';
import { toAppError, uuidv7 } from '@rubrica/process';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type EventLog, listenToEvents } from './support/events.ts';
import { type Generation, generation } from './support/generation.ts';
import { makeOrder, type OrderOverrides } from './support/orders.ts';
import { connectPeer, type Peer } from './support/peers.ts';

type Filters = Partial<OperatorInput<'certificates.search'>>;
type Row = OperatorOutput<'certificates.search'>['items'][number];

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

let env: Generation;
let gateway: Peer;
let log: EventLog;
let service: Awaited<ReturnType<Generation['start']>>;
/** Newest first, as a search shows them. */
let all: Row[];

beforeAll(async () => {
  env = await generation();
  gateway = await connectPeer('gateway', env.ground);
  log = listenToEvents(env.intakePeer);
  service = await env.start();
  for (const overrides of orders) {
    const job = { requestId: uuidv7(), attempt: 1 };
    env.intake.place(makeOrder(job, overrides));
    await env.intake.publishJob(job);
    await vi.waitFor(() => expect(log.of(job.requestId)).toHaveLength(1), { timeout: 120_000, interval: 10 });
  }
  const [, , second] = (await certificates().search.query({})).items;
  await certificates('admin').revoke.mutate({ id: second?.id ?? '', revocationReason: 'superseded' });
  all = (await certificates().search.query({})).items;
});

afterAll(async () => {
  await service.stop();
  await log.stop();
  await env.intake.stop();
  await gateway[Symbol.asyncDispose]();
  await env[Symbol.asyncDispose]();
});

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
