import { describe, expect, it } from 'vitest';
import type { Answer } from '../dialer/dialer.ts';
import { webhookSchedule } from '../send-queue/retry-schedule.ts';
import { judgeDelivery } from './verdict.ts';

const at = { schedule: webhookSchedule, made: 1, random: 0.5, now: new Date('2026-11-20T10:00:00Z') };
const answered = (status: number, retryAfter?: string): Answer => ({
  kind: 'answered',
  status,
  retryAfter,
  start: '',
});

describe('judge', () => {
  it.each([200, 201, 202, 204, 299])('takes %d as an acknowledgement', (status) => {
    expect(judgeDelivery(answered(status), at)).toMatchObject({
      state: 'DELIVERED',
      outcome: 'ACKNOWLEDGED',
      status,
    });
  });

  it.each([301, 302, 307, 308, 304])('takes the redirect %d as a failure', (status) => {
    expect(judgeDelivery(answered(status), at)).toMatchObject({ state: 'PENDING', outcome: 'REDIRECTED' });
  });

  it.each([429, 502, 503, 504])('calls more slowly after %d', (status) => {
    expect(judgeDelivery(answered(status), at)).toMatchObject({ state: 'PENDING', retryAfterMs: 10_000 });
  });

  it.each([
    ['TIMEOUT', 10_000],
    ['CONNECTION_FAILED', 5_000],
  ] as const)('after %s waits %d ms', (failure, retryAfterMs) => {
    expect(judgeDelivery({ kind: 'failed', failure, message: '' }, at)).toMatchObject({ retryAfterMs });
  });

  it.each([400, 401, 404, 409, 500, 501])('tries again after %d', (status) => {
    const verdict = judgeDelivery(answered(status), at);
    expect(verdict).toMatchObject({ state: 'PENDING', outcome: 'REFUSED', retryAfterMs: 5_000 });
  });

  it('stops for good at 410', () => {
    expect(judgeDelivery(answered(410), at)).toMatchObject({
      state: 'STOPPED',
      outcome: 'GONE',
      status: 410,
    });
  });

  it('waits as Retry-After asks', () => {
    const asked = judgeDelivery(answered(503, '90'), { ...at, random: 0 });
    expect(asked).toMatchObject({ state: 'PENDING', retryAfterMs: 90_000 });
  });

  it('tries again when nobody answered', () => {
    const verdict = judgeDelivery(
      { kind: 'failed', failure: 'TIMEOUT', message: 'no complete answer within 15 s' },
      at,
    );
    expect(verdict).toMatchObject({ state: 'PENDING', outcome: 'TIMEOUT', status: null });
  });

  it('gives up after the tenth attempt', () => {
    expect(judgeDelivery(answered(500), { ...at, made: 9 }).state).toBe('PENDING');
    expect(judgeDelivery(answered(500), { ...at, made: 10 }).state).toBe('EXHAUSTED');
  });
});
