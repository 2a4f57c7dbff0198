import { DAY_MS } from '@rubrica/contracts/shared/durations';
import { expect, it } from 'vitest';
import { judgeRenewal, type Renewable } from './find-renewable.ts';

const timeZone = 'America/Guayaquil';
const notAfter = new Date('2028-03-01T12:00:00.000Z');
const at = (days: number, ms = 0) => new Date(notAfter.getTime() + days * DAY_MS + ms);
const former: Renewable = {
  family: 'TV',
  identificationNumber: '1710034065',
  notAfter,
  certificateStatus: 'VALID',
  certificateAdvancedDays: 0,
  renewedBy: null,
};
function judged(changed: Partial<Renewable> = {}, now = at(-30)) {
  const refusal = judgeRenewal({ ...former, ...changed }, { now, timeZone });
  return refusal && [refusal.code, refusal.publicMessage];
}

it('is open from 60 days before the end to 60 days after it, to the millisecond', () => {
  expect(judged({}, at(-60))).toBeUndefined();
  expect(judged({}, at(60))).toBeUndefined();
  expect(judged({}, at(-60, -1))).toEqual(['RENEWAL_NOT_OPEN', expect.stringContaining('2028-01-01')]);
  expect(judged({}, at(60, 1))).toEqual(['RENEWAL_NOT_OPEN', expect.stringContaining('2028-04-30')]);
});

it('goes by the clock of the request, and names the day as that clock shows it', () => {
  expect(judged({ certificateAdvancedDays: 40 }, at(-100))).toBeUndefined();
  expect(judged({ certificateAdvancedDays: 39 }, at(-100))).toEqual([
    'RENEWAL_NOT_OPEN',
    expect.stringContaining('2028-01-01'),
  ]);
});

it.each<[string, Partial<Renewable>]>([
  ['of the API flow', { family: 'API' }],
  ['revoked or on hold', { certificateStatus: 'REVOKED' }],
  ['erased', { identificationNumber: '' }],
  ['renewed already', { renewedBy: 'TX-2' }],
])('is not open for what is %s, whatever the day', (_, changed) => {
  for (const now of [at(-30), at(-90), at(90)])
    expect(judged(changed, now)?.[0]).toBe('REQUEST_STATE_NOT_ALLOWED');
});

it('is open for a certificate that has expired', () => {
  expect(judged({ certificateStatus: 'EXPIRED' }, at(10))).toBeUndefined();
});
