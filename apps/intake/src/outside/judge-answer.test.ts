import { describe, expect, it } from 'vitest';
import { judge } from './judge-answer.ts';

function answered(status: number, retryAfterMs?: number) {
  return judge({ kind: 'answered', status, text: '', retryAfterMs });
}
function broken(code: string, answerBegun = false) {
  return judge({ kind: 'unreachable', code, answerBegun });
}

describe('an attempt', () => {
  it.each(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET'])(
    'is made again after %s, unless an answer had begun',
    (code) => {
      expect(broken(code)).toMatchObject({ end: 'unreachable', retry: { afterMs: undefined } });
      expect(broken(code, true)).toMatchObject({ end: 'unreachable', retry: undefined });
    },
  );

  it.each(['ENOTFOUND', 'DEPTH_ZERO_SELF_SIGNED_CERT', 'HPE_INVALID_CONSTANT'])(
    'is not made again after %s, which stays as it is',
    (code) => expect(broken(code)).toMatchObject({ end: 'unreachable', retry: undefined }),
  );

  it.each([502, 503, 504])('is made again after %i, unless the wait asked for is long', (status) => {
    expect(answered(status)).toMatchObject({ end: 'failed', retry: { afterMs: undefined } });
    expect(answered(status, 2_000)).toMatchObject({ end: 'failed', retry: { afterMs: 2_000 } });
    expect(answered(status, 2_001)).toMatchObject({ end: 'failed', retry: undefined });
  });

  it('is made again after 429 only when told so, soon', () => {
    expect(answered(429)).toMatchObject({ end: 'throttled', retry: undefined });
    expect(answered(429, 1_000)).toMatchObject({ end: 'throttled', retry: { afterMs: 1_000 } });
    expect(answered(429, 60_000)).toMatchObject({ end: 'throttled', retry: undefined });
  });

  it.each([
    [204, 'refused'],
    [302, 'refused'],
    [400, 'refused'],
    [401, 'refused'],
    [422, 'refused'],
    [500, 'failed'],
    [501, 'failed'],
  ])('is over with %i', (status, end) => expect(answered(status)).toMatchObject({ end, retry: undefined }));

  it('is over when it took too long: who is slow gets no more work', () => {
    for (const kind of ['timeout', 'left'] as const)
      expect(judge({ kind })).toMatchObject({ end: kind, retry: undefined });
  });
});
