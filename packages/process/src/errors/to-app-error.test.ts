import { TRPCClientError } from '@trpc/client';
import { describe, expect, it } from 'vitest';
import { AppError } from './app-error.ts';
import { toAppError } from './to-app-error.ts';

function thrown(data: object | undefined, cause?: Error): Error {
  return TRPCClientError.from(
    { error: { code: -32000, message: 'peer says', data } } as never,
    { cause } as never,
  );
}

describe('toAppError', () => {
  it.each(['TIMEOUT', 'SERVICE_UNAVAILABLE', 'TOO_MANY_REQUESTS', 'CLIENT_CLOSED_REQUEST'])(
    'makes of a bare %s a SERVICE_UNAVAILABLE that says when to try again',
    (code) => {
      const error = toAppError(thrown({ code }));
      expect(error.code).toBe('SERVICE_UNAVAILABLE');
      expect(error.retryAfterSeconds).toBeGreaterThan(0);
      expect(error.publicMessage).not.toContain('peer says');
    },
  );

  it('keeps the wait that the peer asked for', () => {
    expect(toAppError(thrown({ code: 'SERVICE_UNAVAILABLE', retryAfterSeconds: 9 })).retryAfterSeconds).toBe(
      9,
    );
  });

  it('reads the code of a failure that never reached a peer from its cause', () => {
    const failed = TRPCClientError.from(
      Object.assign(new Error('no responders'), { code: 'SERVICE_UNAVAILABLE' }),
    );
    expect(toAppError(failed).code).toBe('SERVICE_UNAVAILABLE');
  });

  it('masks everything else', () => {
    for (const error of [
      new Error('secret'),
      thrown(undefined),
      thrown({ code: 'BAD_REQUEST' }),
      'secret',
      null,
    ]) {
      const { code, publicMessage } = toAppError(error);
      expect(code).toBe('INTERNAL_ERROR');
      expect(publicMessage).not.toMatch(/secret|peer says/);
    }
  });

  it('does not trust a code or detail that this release does not know', () => {
    expect(toAppError(thrown({ code: 'CONFLICT', appCode: 'toString' })).code).toBe('INTERNAL_ERROR');
    const details = [
      { code: 'FROM_THE_FUTURE', message: 'x' },
      null,
      { code: 'FIELD_INVALID', message: 'y' },
    ];
    expect(toAppError(thrown({ appCode: 'FIELD_INVALID', details })).details).toEqual([details[2]]);
  });

  it('hands an AppError back as it is', () => {
    const error = new AppError({ code: 'FORBIDDEN' });
    expect(toAppError(error)).toBe(error);
  });
});
