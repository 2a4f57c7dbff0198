import type { Caller } from '@rubrica/contracts/shared/caller';
import type { ServiceName } from '@rubrica/contracts/shared/enumerations';
import { AppError } from '@rubrica/process/errors';
import { createLogger } from '@rubrica/process/log';
import type { BaseContext } from '@rubrica/process/trpc';
import { fakeHandlers } from '@rubrica/testkit/fakes';
import { type AnyTRPCRouter, callTRPCProcedure, getTRPCErrorFromUnknown } from '@trpc/server';
import { describe, expect, it, vi } from 'vitest';
import type { CallHandlers, OperatorHandlers } from './handlers.ts';
import { implement } from './implement.ts';

const id = '01890a5d-ac96-774b-bcce-b302099a8057';
const at = '2026-11-20T10:00:00.000Z';
const callers = {
  gateway: { kind: 'service', name: 'gateway' },
  intake: { kind: 'service', name: 'intake' },
  reader: { kind: 'partner', partnerId: id, clientId: 'c', scopes: ['status:read'] },
  writer: { kind: 'partner', partnerId: id, clientId: 'c', scopes: ['manager:write'] },
  viewer: { kind: 'operator', operatorId: id, email: 'v@x.ec', role: 'viewer' },
  admin: { kind: 'operator', operatorId: id, email: 'a@x.ec', role: 'admin' },
  public: { kind: 'public' },
} satisfies Record<string, Caller>;

const record = {
  id,
  version: '1',
  content: 'text',
  type: 'TRADITIONAL_SIGNATURE',
  active: true,
  createdDate: at,
} as const;
const page = { items: [record], nextCursor: null };

function notAsked(): never {
  throw new Error('not asked here');
}

const terms = {
  calls: { 'terms.active': () => record } satisfies CallHandlers<'terms'>,
  operators: {
    'terms.list': () => page,
    'terms.createVersion': () => record,
    'terms.activate': () => record,
    'audit.list': () => ({ items: [], nextCursor: null }),
    'audit.verify': notAsked,
    'approvals.list': notAsked,
    'approvals.get': notAsked,
    'approvals.passkeyOptions': notAsked,
    'approvals.approve': notAsked,
    'approvals.reject': notAsked,
  } satisfies OperatorHandlers<'terms'>,
};

interface Asked {
  readonly type?: 'query' | 'mutation';
  readonly input?: unknown;
  readonly caller: Caller;
  readonly peer?: ServiceName;
}

async function call(router: AnyTRPCRouter, path: string, { type = 'query', input, caller, peer }: Asked) {
  const ctx: BaseContext = {
    // The gateway calls for people.
    peer: peer ?? (caller.kind === 'service' ? caller.name : 'gateway'),
    caller,
    requestId: 'req-1',
    signal: new AbortController().signal,
    logger: createLogger({ service: 'test', level: 'silent', format: 'json' }),
  };
  try {
    const getRawInput = async () => input;
    const data = await callTRPCProcedure({
      router,
      path,
      type,
      ctx,
      getRawInput,
      signal: ctx.signal,
      batchIndex: 0,
    });
    return { data };
  } catch (error) {
    return { code: (getTRPCErrorFromUnknown(error).cause as AppError | undefined)?.code };
  }
}

const type = 'TRADITIONAL_SIGNATURE';

describe('a call that is implemented', () => {
  const { calls } = implement('terms', terms);

  it('is answered by its use case', async () => {
    expect(await call(calls, 'terms.active', { input: { type }, caller: callers.gateway })).toEqual({
      data: record,
    });
  });

  it('is refused with an input that its row does not have', async () => {
    expect(await call(calls, 'terms.active', { input: { type: 'OTHER' }, caller: callers.gateway })).toEqual({
      code: 'FIELD_INVALID',
    });
  });

  it('answers nothing that its row does not have', async () => {
    const { calls: wrong } = implement('terms', {
      ...terms,
      calls: { 'terms.active': () => ({ ...record, active: 'yes' }) as never },
    });
    expect(await call(wrong, 'terms.active', { input: { type }, caller: callers.gateway })).toEqual({
      code: 'INTERNAL_ERROR',
    });
  });

  it('says what a failure means in the words of its service', async () => {
    const { calls: away } = implement('terms', {
      ...terms,
      calls: {
        'terms.active': () => {
          throw new Error('the database is away');
        },
      },
      translate: (cause) => new AppError({ code: 'SERVICE_UNAVAILABLE', cause }),
    });
    expect(await call(away, 'terms.active', { input: { type }, caller: callers.gateway })).toEqual({
      code: 'SERVICE_UNAVAILABLE',
    });
  });
});

describe('the guard that comes from a row', () => {
  const { calls } = implement(
    'intake',
    fakeHandlers({
      calls: {
        'requests.cancel': () => ({
          requestId: id,
          referenceTransaction: 'TX-1',
          status: 'CANCELLED',
          validationStatus: 'PENDING',
          updatedAt: at,
        }),
        'partners.contact': () => ({ partnerId: id, name: 'P', email: 'p@x.ec', language: 'es' }),
      },
    }),
  );
  const cancel = { type: 'mutation', input: { family: 'TV', requestId: id, faults: [] } } as const;

  it('lets a partner with the scope in, and none without it', async () => {
    expect(await call(calls, 'requests.cancel', { ...cancel, caller: callers.writer })).toHaveProperty(
      'data',
    );
    for (const caller of [callers.reader, callers.gateway, callers.admin, callers.public])
      expect(await call(calls, 'requests.cancel', { ...cancel, caller })).toEqual({ code: 'FORBIDDEN' });
  });

  it('lets a service in that the row names, and no other', async () => {
    const contact = { input: { partnerId: id } };
    const notifier = { kind: 'service', name: 'notifier' } as const;
    expect(await call(calls, 'partners.contact', { ...contact, caller: notifier })).toHaveProperty('data');
    for (const caller of [callers.gateway, callers.intake, callers.writer, callers.admin, callers.public])
      expect(await call(calls, 'partners.contact', { ...contact, caller })).toEqual({ code: 'FORBIDDEN' });
  });

  it('takes what a partner or an operator asks from a service that the row names alone', async () => {
    const cancelled = { ...cancel, caller: callers.writer, peer: 'notifier' } as const;
    expect(await call(calls, 'requests.cancel', cancelled)).toEqual({ code: 'FORBIDDEN' });
    const { operators } = implement('terms', terms);
    const listed = { input: {}, caller: callers.admin, peer: 'intake' } as const;
    expect(await call(operators, 'terms.list', listed)).toEqual({ code: 'FORBIDDEN' });
    const active = { input: { type }, caller: { kind: 'service', name: 'notifier' } } as const;
    expect(await call(implement('terms', terms).calls, 'terms.active', active)).toEqual({
      code: 'FORBIDDEN',
    });
  });

  it('lets an operator in whose role is high enough', async () => {
    const { operators } = implement('terms', terms);
    const activate = { type: 'mutation', input: { id } } as const;
    expect(await call(operators, 'terms.list', { input: {}, caller: callers.viewer })).toEqual({
      data: page,
    });
    expect(await call(operators, 'terms.activate', { ...activate, caller: callers.admin })).toHaveProperty(
      'data',
    );
    for (const caller of [callers.viewer, callers.gateway, callers.writer, callers.public])
      expect(await call(operators, 'terms.activate', { ...activate, caller })).toEqual({ code: 'FORBIDDEN' });
  });
});

it('a row without code is found when the routers are made', () => {
  expect(() => implement('terms', { ...terms, calls: {} as CallHandlers<'terms'> })).toThrow(
    'terms.active is in the calls table and has no code',
  );
});

describe('a call that takes turns', () => {
  const path = 'audit.list';
  const other: Caller = { ...callers.admin, operatorId: '01890a5d-ac96-774b-bcce-b302099a8058' };

  /** A service whose list ends when it is told to. */
  function slowLists() {
    const begun: Caller[] = [];
    const ends: (() => void)[] = [];
    const list = (_: unknown, { caller }: { caller: Caller }) => {
      begun.push(caller);
      return new Promise<{ items: []; nextCursor: null }>((resolve) => {
        ends.push(() => resolve({ items: [], nextCursor: null }));
      });
    };
    const { operators } = implement('terms', {
      ...terms,
      operators: { ...terms.operators, 'audit.list': list },
    });
    const ask = (caller: Caller) => call(operators, path, { caller, input: { service: 'terms' } });
    return { begun, ends, ask };
  }

  it('leaves the next place to another operator, however many of the first wait', async () => {
    const { begun, ends, ask } = slowLists();
    const first = Array.from({ length: 10 }, () => ask(callers.admin));
    const ofOther = ask(other);
    await vi.waitFor(() => expect(begun).toHaveLength(4));
    ends[0]?.();
    await vi.waitFor(() => expect(begun).toHaveLength(5));
    ends[1]?.();
    await vi.waitFor(() => expect(begun).toHaveLength(6));
    expect(begun).toContainEqual(other);
    for (let ended = 2; ended < 11; ended += 1) {
      await vi.waitFor(() => expect(ends.length).toBeGreaterThan(ended));
      ends[ended]?.();
    }
    expect(await Promise.all([...first, ofOther])).toEqual(
      Array.from({ length: 11 }, () => ({ data: { items: [], nextCursor: null } })),
    );
  });

  it('is refused to an operator of whom 32 wait already', async () => {
    const { begun, ask } = slowLists();
    for (let asked = 0; asked < 36; asked += 1) void ask(callers.admin);
    await vi.waitFor(() => expect(begun).toHaveLength(4));
    expect(await ask(callers.admin)).toEqual({ code: 'RATE_LIMITED' });
  });
});
