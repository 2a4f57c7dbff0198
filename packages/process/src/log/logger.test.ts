import { errorCatalogue } from '@rubrica/contracts/shared/errors';
import { TRPCClientError } from '@trpc/client';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { withContext } from '../context/ambient-context.ts';
import { AppError } from '../errors/app-error.ts';
import { createLogger, type Logger } from './logger.ts';

function capture(format: 'json' | 'pretty' = 'json'): { logger: Logger; lines: string[] } {
  const lines: string[] = [];
  const destination = { write: (line: string) => void lines.push(line) };
  return { logger: createLogger({ service: 'intake', level: 'debug', format, destination }), lines };
}

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const context = { requestId: 'req-1', traceparent: `00-${traceId}-00f067aa0ba902b7-01` };
const secret = 'hunter2-canary';

describe('createLogger', () => {
  it('adds service, request id and trace id of the work in hand', () => {
    const { logger, lines } = capture();
    withContext(context, () => logger.info({ partnerId: 'p-1' }, 'registered'));
    const line = JSON.parse(lines[0] as string);
    expect(line).toMatchObject({
      level: 'info',
      service: 'intake',
      partnerId: 'p-1',
      message: 'registered',
      requestId: 'req-1',
      traceId,
    });
  });

  it('drops every field that is not on the allow-list, and counts them', () => {
    const { logger, lines } = capture();
    const body = { password: secret, [secret]: 1, partnerId: 'p-1', nested: { password: secret } };
    logger.info({ ...body }, 'registered');
    expect(lines[0]).not.toContain(secret);
    expect(JSON.parse(lines[0] as string)).toMatchObject({ partnerId: 'p-1', omitted: 3 });
  });

  it('drops objects that hide in an allowed field, also in a child', () => {
    const { logger, lines } = capture();
    const disguised = { reason: { password: secret } as unknown as string };
    logger.info(disguised, 'a');
    logger.child(disguised).info({}, 'b');
    logger.child({ password: secret } as object).info({}, 'c');
    expect(lines.join('')).not.toContain(secret);
    expect(lines).toHaveLength(3);
  });

  it.each<[string, () => unknown]>([
    [
      'an AppError that quotes its caller',
      () => new AppError({ code: 'FIELD_INVALID', publicMessage: secret }),
    ],
    [
      'a driver error with row values',
      () => Object.assign(new Error(`duplicate key\n - detail: (${secret})`)),
    ],
    [
      'a data exception of PostgreSQL',
      () => Object.assign(new Error(`invalid input syntax for type uuid: "${secret}"`), { code: '22P02' }),
    ],
    ['the text that JSON.parse could not read', () => attempt(() => JSON.parse(`"a" ${secret}`))],
    [
      'a zod error',
      () => attempt(() => z.strictObject({ a: z.literal('x') }).parse({ a: secret, [secret]: 1 })),
    ],
    [
      'extra members of an error',
      () => Object.assign(new Error('failed'), { query: secret, parameters: [secret] }),
    ],
    [
      'a cause',
      () => new Error('outer', { cause: new AppError({ code: 'FORBIDDEN', publicMessage: secret }) }),
    ],
    [
      'a failed call whose peer quotes the caller',
      () => failedCall({ appCode: 'FIELD_INVALID', path: 'requests.register' }, secret),
    ],
    [
      'a call whose answer could not be read',
      () => TRPCClientError.from(attempt(() => JSON.parse(`"a" ${secret}`)) as Error),
    ],
    ['a thrown string', () => secret],
    ['a thrown object', () => ({ password: secret })],
  ])('logs no secret of %s', (_, make) => {
    const { logger, lines } = capture();
    logger.error({ err: make() }, 'failed');
    expect(lines[0]).not.toContain(secret);
    expect(JSON.parse(lines[0] as string).err.type).toBeTypeOf('string');
  });

  it('says of a failure its kind, code, frames and cause', () => {
    const { logger, lines } = capture();
    const cause = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
    logger.error({ err: new AppError({ code: 'SERVICE_UNAVAILABLE', cause }) }, 'failed');
    const { err } = JSON.parse(lines[0] as string);
    expect(err).toMatchObject({
      type: 'AppError',
      code: 'SERVICE_UNAVAILABLE',
      cause: { code: 'ECONNREFUSED', message: 'connect ECONNREFUSED' },
    });
    expect(err.stack).toMatch(/logger\.test\.ts/);
  });

  it('says what a peer answered, by the code and its text in the catalogue', () => {
    const { logger, lines } = capture();
    const failed = failedCall({ appCode: 'BODY_MALFORMED', path: 'partners.authenticateClient' }, secret);
    logger.warn({ err: failed }, 'a request could not be served');
    expect(JSON.parse(lines[0] as string).err).toMatchObject({
      type: 'TRPCClientError',
      code: 'BODY_MALFORMED',
      message: errorCatalogue.BODY_MALFORMED.en,
      call: 'partners.authenticateClient',
    });
  });

  it('says why a peer could not be asked', () => {
    const { logger, lines } = capture();
    const cause = Object.assign(new Error('no responders'), { code: 'SERVICE_UNAVAILABLE' });
    logger.warn({ err: TRPCClientError.from(cause) }, 'a request could not be served');
    logger.warn({ err: new TRPCClientError('the answer is none') }, 'a request could not be served');
    logger.warn({ err: failedCall({ code: 'TIMEOUT' }, secret) }, 'a request could not be served');
    const data = { code: 'SERVICE_UNAVAILABLE', path: 'terms.active' };
    const lost = { error: { code: -32000, message: 'nobody serves it', data } } as never;
    logger.warn({ err: TRPCClientError.from(lost, { meta: { bus: {} } }) }, 'a request could not be served');
    const errors = lines.map((line) => JSON.parse(line).err);
    expect(errors).toMatchObject([
      { message: 'no responders', cause: { code: 'SERVICE_UNAVAILABLE' } },
      { message: 'the answer is none' },
      { code: 'TIMEOUT', message: 'the call ended with TIMEOUT' },
      { code: 'SERVICE_UNAVAILABLE', message: 'nobody serves it', call: 'terms.active' },
    ]);
  });

  it("has a message for every AppError, the catalogue's where its own might quote the caller", () => {
    const { logger, lines } = capture();
    logger.error({ err: new AppError({ code: 'INTERNAL_ERROR' }) }, 'failed');
    logger.error({ err: new AppError({ code: 'FIELD_INVALID', publicMessage: secret }) }, 'failed');
    const messages = lines.map((line) => JSON.parse(line).err.message);
    expect(messages).toEqual([errorCatalogue.INTERNAL_ERROR.en, errorCatalogue.FIELD_INVALID.en]);
  });

  it('says of several failures at once the first', () => {
    const { logger, lines } = capture();
    const refused = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:1'), { code: 'ECONNREFUSED' });
    logger.error({ err: new AggregateError([refused]) }, 'failed');
    expect(JSON.parse(lines[0] as string).err.cause).toMatchObject({ code: 'ECONNREFUSED' });
  });

  it('writes for people when asked to', () => {
    const { logger, lines } = capture('pretty');
    logger.info({ port: 3000 }, 'ready');
    expect(lines.join('')).toMatch(/INFO.*ready[\s\S]*port: 3000/);
  });
});

function failedCall(data: object, message: string): Error {
  return TRPCClientError.from({ error: { code: -32000, message, data } } as never);
}

function attempt(work: () => unknown): unknown {
  try {
    work();
  } catch (error) {
    return error;
  }
  throw new Error('it was to fail');
}
