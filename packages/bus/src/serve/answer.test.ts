import { type AnyTRPCRouter, getTRPCErrorFromUnknown, initTRPC, TRPCError } from '@trpc/server';
import { describe, expect, it } from 'vitest';
import { errorBody, resultBody } from './answer.ts';

const t = initTRPC.create({ isDev: true });
const router = t.router({});

function shapeOf(cause: unknown, served: AnyTRPCRouter = router) {
  const error = getTRPCErrorFromUnknown(cause);
  const call = { error, path: 'a.b', type: 'query' as const, input: undefined, ctx: undefined };
  return JSON.parse(Buffer.from(errorBody(served, call)).toString()).error;
}

describe('an error answer', () => {
  it('masks the message of whatever was thrown by accident', () => {
    expect(shapeOf(new Error('connect ECONNREFUSED db:5432'))).toMatchObject({
      message: 'Internal server error',
      data: { code: 'INTERNAL_SERVER_ERROR', path: 'a.b' },
    });
    expect(JSON.stringify(shapeOf('secret text'))).not.toContain('secret');
  });

  it('keeps words that were meant for the caller', () => {
    expect(shapeOf(new TRPCError({ code: 'NOT_FOUND', message: 'No such thing' })).message).toBe(
      'No such thing',
    );
    const opaque = new TRPCError({
      code: 'INTERNAL_SERVER_ERROR',
      message: 'Something failed, trace 42',
      cause: new Error('secret'),
    });
    expect(shapeOf(opaque).message).toBe('Something failed, trace 42');
  });

  it('never carries a stack, not even in development', () => {
    expect(shapeOf(new TRPCError({ code: 'BAD_REQUEST', message: 'x' })).data).not.toHaveProperty('stack');
  });

  it('is given even when the formatter fails', () => {
    const failing = initTRPC
      .create({
        errorFormatter: () => {
          throw new Error('formatter');
        },
      })
      .router({});
    expect(shapeOf(new TRPCError({ code: 'CONFLICT', message: 'taken' }), failing)).toMatchObject({
      message: 'taken',
      data: { code: 'CONFLICT' },
    });
    expect(shapeOf(new Error('secret'), failing).message).toBe('Internal server error');
  });
});

describe('a result answer', () => {
  it('goes through the transformer of the router', () => {
    const wrapped = initTRPC
      .create({ transformer: { serialize: (value) => ({ wrapped: value }), deserialize: (value) => value } })
      .router({});
    expect(Buffer.from(resultBody(wrapped, 1).body).toString()).toBe('{"result":{"data":{"wrapped":1}}}');
  });

  it('names the call that it answers, where that has a number', () => {
    expect(Buffer.from(resultBody(router, 1, 7).body).toString()).toBe('{"id":7,"result":{"data":1}}');
  });

  it('has no data when the procedure returned nothing', () => {
    expect(Buffer.from(resultBody(router, undefined).body).toString()).toBe('{"result":{}}');
  });
});
