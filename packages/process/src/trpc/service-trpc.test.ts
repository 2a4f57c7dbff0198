import type { Caller } from '@rubrica/contracts/shared/caller';
import type { ErrorDetail } from '@rubrica/contracts/shared/errors';
import { errorCatalogue } from '@rubrica/contracts/shared/errors';
import { TRPCClientError } from '@trpc/client';
import { callTRPCProcedure, getTRPCErrorFromUnknown, getTRPCErrorShape } from '@trpc/server';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { currentContext } from '../context/ambient-context.ts';
import { AppError } from '../errors/app-error.ts';
import { toAppError } from '../errors/to-app-error.ts';
import { createLogger } from '../log/logger.ts';
import { createMetrics } from '../metrics/metrics.ts';
import type { BaseContext } from './call-context.ts';
import { createCallMetrics } from './call-metrics.ts';
import { createServiceTrpc } from './service-trpc.ts';

const id = '01890a5d-ac96-774b-bcce-b302099a8057';
const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const callers = {
  gateway: { kind: 'service', name: 'gateway' },
  terms: { kind: 'service', name: 'terms' },
  partner: { kind: 'partner', partnerId: id, clientId: 'c', scopes: ['status:read'] },
  viewer: { kind: 'operator', operatorId: id, email: 'v@x.ec', role: 'viewer' },
  admin: { kind: 'operator', operatorId: id, email: 'a@x.ec', role: 'admin' },
  public: { kind: 'public' },
} satisfies Record<string, Caller>;

const detail: ErrorDetail = {
  code: 'FIELD_REQUIRED',
  field: 'period',
  message: 'period is required',
  correctable: false,
  retryable: false,
};

const t = createServiceTrpc<BaseContext>();
const open = t.procedure.use(t.asAnyone());
const router = t.router({
  echo: open.input(z.object({ text: z.string().max(5) })).query(({ input }) => input.text),
  ambient: open.query(() => currentContext() ?? null),
  boom: open.query(() => {
    throw new Error('secret of the database');
  }),
  badOutput: open.output(z.object({ a: z.string() })).query(() => ({ a: 1 }) as unknown as { a: string }),
  limited: open.query(() => {
    throw new AppError({
      code: 'RATE_LIMITED',
      publicMessage: 'wait',
      details: [detail],
      retryAfterSeconds: 30,
    });
  }),
  forwarded: open.query(() => {
    throw TRPCClientError.from({
      error: {
        code: -32009,
        message: 'taken',
        data: { code: 'CONFLICT', appCode: 'DUPLICATED_REFERENCE_TRANSACTION' },
      },
    } as never);
  }),
  ofServices: t.procedure.use(t.asService('gateway', 'intake')).query(({ ctx }) => ctx.caller.name),
  ofPartners: t.procedure.use(t.asPartner()).query(({ ctx }) => ctx.caller.partnerId),
  ofReaders: t.procedure.use(t.asPartner('status:read')).query(() => 'read'),
  ofWriters: t.procedure.use(t.asPartner('collector:write')).query(() => 'written'),
  ofReviewers: t.procedure.use(t.asOperator('reviewer')).query(({ ctx }) => ctx.caller.email),
  ofAll: t.router({ nested: open.query(() => 'open') }),
});

/** A call as the bus makes it: the answer is what the caller's client would throw or return. */
async function call(
  path: string,
  { caller = callers.public, input }: { caller?: Caller; input?: unknown } = {},
) {
  const lines: string[] = [];
  const metrics = createMetrics({ service: 'test' });
  const ctx: BaseContext = {
    peer: 'gateway',
    caller,
    requestId: 'req-1',
    traceparent: `00-${traceId}-00f067aa0ba902b7-01`,
    signal: AbortSignal.timeout(5_000),
    logger: createLogger({
      service: 'test',
      level: 'debug',
      format: 'json',
      destination: { write: (line) => void lines.push(line) },
    }),
    metrics: createCallMetrics(metrics),
  };
  const common = { path, type: 'query' as const, ctx, input };
  try {
    const signal = ctx.signal;
    const data = await callTRPCProcedure({
      ...common,
      router,
      getRawInput: async () => input,
      signal,
      batchIndex: 0,
    });
    return { data, lines, metrics };
  } catch (cause) {
    const error = getTRPCErrorFromUnknown(cause);
    const shape = getTRPCErrorShape({ ...common, config: router._def._config, error });
    return {
      error,
      shape,
      crossed: toAppError(TRPCClientError.from({ error: shape } as never)),
      lines,
      metrics,
    };
  }
}

describe('failures', () => {
  it('carry code, details and retryAfter whole to the caller', async () => {
    const { crossed, shape, error } = await call('limited');
    expect(error?.code).toBe('TOO_MANY_REQUESTS');
    expect(shape?.data).toMatchObject({
      code: 'TOO_MANY_REQUESTS',
      httpStatus: 429,
      path: 'limited',
      traceId,
    });
    expect(crossed).toMatchObject({
      code: 'RATE_LIMITED',
      publicMessage: 'wait',
      details: [detail],
      retryAfterSeconds: 30,
    });
  });

  it('that nobody foresaw tell the caller nothing but the trace id, and are logged once', async () => {
    const { crossed, shape, lines } = await call('boom');
    expect(JSON.stringify(shape)).not.toContain('secret');
    expect(JSON.stringify(shape)).not.toContain('stack');
    expect(shape).toMatchObject({
      message: errorCatalogue.INTERNAL_ERROR.en,
      data: { appCode: 'INTERNAL_ERROR', code: 'INTERNAL_SERVER_ERROR', httpStatus: 500, traceId },
    });
    expect(crossed?.code).toBe('INTERNAL_ERROR');
    expect(lines).toHaveLength(1);
    expect(JSON.parse(lines[0] as string)).toMatchObject({ procedure: 'boom', requestId: 'req-1', traceId });
  });

  it("of an output that breaks its contract are ours, not the caller's", async () => {
    const { shape } = await call('badOutput');
    expect(shape?.data).toMatchObject({ appCode: 'INTERNAL_ERROR', details: [] });
  });

  it('of an input name each field', async () => {
    const { crossed } = await call('echo', { input: { text: 'too long' } });
    expect(crossed).toMatchObject({
      code: 'FIELD_INVALID',
      details: [{ code: 'FIELD_INVALID', field: 'text' }],
    });
  });

  it('of a peer pass whole through the service in between', async () => {
    const { crossed, error } = await call('forwarded');
    expect(error?.code).toBe('CONFLICT');
    expect(crossed).toMatchObject({ code: 'DUPLICATED_REFERENCE_TRANSACTION', publicMessage: 'taken' });
  });

  it('of an unknown procedure are a route that does not exist', async () => {
    expect((await call('no.such')).shape?.data).toMatchObject({
      appCode: 'ROUTE_NOT_FOUND',
      httpStatus: 404,
    });
  });
});

describe('guards', () => {
  const matrix: [path: string, allowed: (keyof typeof callers)[]][] = [
    ['ofServices', ['gateway']],
    ['ofPartners', ['partner']],
    ['ofReaders', ['partner']],
    ['ofWriters', []],
    ['ofReviewers', ['admin']],
    ['ofAll.nested', ['gateway', 'terms', 'partner', 'viewer', 'admin', 'public']],
  ];
  it.each(matrix)('%s lets in %j and refuses all others', async (path, allowed) => {
    const names = Object.keys(callers) as (keyof typeof callers)[];
    const outcomes = await Promise.all(
      names.map(async (name) => (await call(path, { caller: callers[name] })).shape?.data.appCode ?? 'OK'),
    );
    expect(outcomes).toEqual(names.map((name) => (allowed.includes(name) ? 'OK' : 'FORBIDDEN')));
  });

  it('name the missing scope or role', async () => {
    expect((await call('ofWriters', { caller: callers.partner })).crossed?.publicMessage).toContain(
      'collector:write',
    );
    expect((await call('ofReviewers', { caller: callers.viewer })).crossed?.publicMessage).toContain(
      'reviewer',
    );
  });

  it('cannot be forgotten: a router with an unguarded procedure does not come into being', () => {
    expect(() => t.router({ inner: t.router({ bare: t.procedure.query(() => 1) }) })).toThrow(
      /bare has no guard/,
    );
    expect(() => t.router({ nested: { bare: t.procedure.query(() => 1) } })).toThrow(
      /nested\.bare has no guard/,
    );
  });
});

describe('a procedure', () => {
  it('runs in the ambient context of its call', async () => {
    expect((await call('ambient')).data).toEqual({
      requestId: 'req-1',
      traceparent: `00-${traceId}-00f067aa0ba902b7-01`,
    });
  });

  it('is measured by outcome', async () => {
    const good = await (await call('echo', { input: { text: 'hi' } })).metrics.text();
    expect(good).toContain('rubrica_rpc_duration_seconds_count{service="test",procedure="echo",code="OK"} 1');
    const bad = await (await call('limited')).metrics.text();
    expect(bad).toContain(
      'rubrica_rpc_duration_seconds_count{service="test",procedure="limited",code="RATE_LIMITED"} 1',
    );
  });
});
