import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  authorityValidity,
  responderValidity,
  subscriberValidity,
  type ValidityPeriod,
  validityPeriods,
} from './validity.ts';

const farAway = new Date('2060-01-01T00:00:00Z');

function validity(period: ValidityPeriod, now: string, more: { issuer?: string; appointment?: string } = {}) {
  const result = subscriberValidity({
    period,
    now: new Date(now),
    timeZone: 'America/Guayaquil',
    issuerNotAfter: more.issuer ? new Date(more.issuer) : farAway,
    appointmentEndsAt: more.appointment ? new Date(more.appointment) : undefined,
  });
  if (!result.ok) return result.error;
  const { notBefore, notAfter, cappedBy } = result.value;
  return { notBefore: notBefore.toISOString(), notAfter: notAfter.toISOString(), cappedBy };
}

describe('validity of a subscriber certificate', () => {
  it.each([
    ['ONE_WEEK', '2026-03-10T12:00:00Z', '2026-03-17T11:59:59.000Z'],
    ['ONE_MONTH', '2026-03-10T12:00:00Z', '2026-04-10T11:59:59.000Z'],
    ['ONE_YEAR', '2026-03-10T12:00:00Z', '2027-03-10T11:59:59.000Z'],
    ['TWO_YEARS', '2026-03-10T12:00:00Z', '2028-03-10T11:59:59.000Z'],
    ['THREE_YEARS', '2026-03-10T12:00:00Z', '2029-03-10T11:59:59.000Z'],
    ['FOUR_YEARS', '2026-03-10T12:00:00Z', '2030-03-10T11:59:59.000Z'],
    ['FIVE_YEARS', '2026-03-10T12:00:00Z', '2031-03-10T11:59:59.000Z'],
  ] as const)('of %s ends one second before the same time of day', (period, now, notAfter) => {
    expect(validity(period, now)).toMatchObject({ notAfter, cappedBy: null });
  });

  it('drops fractions of a second', () => {
    expect(validity('ONE_WEEK', '2026-03-10T12:00:00.987Z')).toMatchObject({
      notBefore: '2026-03-10T12:00:00.000Z',
      notAfter: '2026-03-17T11:59:59.000Z',
    });
  });

  it('clamps 29 February to 28 February of a common year', () => {
    expect(validity('ONE_YEAR', '2028-02-29T15:00:00Z')).toMatchObject({
      notAfter: '2029-02-28T14:59:59.000Z',
    });
  });

  it('keeps 29 February after four years', () => {
    expect(validity('FOUR_YEARS', '2028-02-29T15:00:00Z')).toMatchObject({
      notAfter: '2032-02-29T14:59:59.000Z',
    });
  });

  it('counts months on the local calendar, where 31 January is still 31 January at 03:00 UTC of 1 February', () => {
    expect(validity('ONE_MONTH', '2026-02-01T03:00:00Z')).toMatchObject({
      notAfter: '2026-03-01T02:59:59.000Z',
    });
  });

  it('crosses a clock change by the wall clock', () => {
    const result = subscriberValidity({
      period: 'ONE_MONTH',
      now: new Date('2026-03-15T11:00:00Z'),
      timeZone: 'Europe/Madrid',
      issuerNotAfter: farAway,
    });
    expect(result).toMatchObject({ ok: true, value: { notAfter: new Date('2026-04-15T09:59:59Z') } });
  });

  it('is capped by the issuer and says so', () => {
    expect(validity('FIVE_YEARS', '2026-03-10T12:00:00Z', { issuer: '2030-01-01T00:00:00Z' })).toMatchObject({
      notAfter: '2030-01-01T00:00:00.000Z',
      cappedBy: 'ISSUER',
    });
  });

  it('is capped by the appointment where that ends first', () => {
    const more = { issuer: '2030-01-01T00:00:00Z', appointment: '2027-06-30T04:59:59Z' };
    expect(validity('FIVE_YEARS', '2026-03-10T12:00:00Z', more)).toMatchObject({
      notAfter: '2027-06-30T04:59:59.000Z',
      cappedBy: 'APPOINTMENT',
    });
  });

  it('is not capped by an appointment that ends later', () => {
    const more = { appointment: '2031-06-30T04:59:59Z' };
    expect(validity('ONE_YEAR', '2026-03-10T12:00:00Z', more)).toMatchObject({ cappedBy: null });
  });

  it('is refused when nothing of it is left', () => {
    const more = { appointment: '2026-03-10T12:00:00Z' };
    expect(validity('ONE_YEAR', '2026-03-10T12:00:00Z', more)).toEqual({
      code: 'NO_VALIDITY_LEFT',
      cappedBy: 'APPOINTMENT',
    });
  });

  it('never ends before it begins nor after any of its caps', () => {
    const dates = fc.date({ min: new Date('2024-01-01'), max: new Date('2045-01-01'), noInvalidDate: true });
    const periods = fc.constantFrom(...(Object.keys(validityPeriods) as ValidityPeriod[]));
    fc.assert(
      fc.property(periods, dates, dates, dates, (period, now, issuerNotAfter, appointmentEndsAt) => {
        const timeZone = 'America/Guayaquil';
        const result = subscriberValidity({ period, now, timeZone, issuerNotAfter, appointmentEndsAt });
        const nextSecond = new Date(now.getTime() + 1000);
        if (!result.ok) return issuerNotAfter <= nextSecond || appointmentEndsAt <= nextSecond;
        const { notBefore, notAfter, requestedNotAfter } = result.value;
        return (
          notBefore < notAfter &&
          notAfter <= requestedNotAfter &&
          notAfter <= issuerNotAfter &&
          notAfter <= appointmentEndsAt
        );
      }),
    );
  });
});

describe('validity of an authority certificate', () => {
  it('does not outlive the authority above', () => {
    const { notAfter } = authorityValidity({
      years: 10,
      now: new Date('2026-01-01T00:00:00Z'),
      issuerNotAfter: new Date('2030-01-01T00:00:00Z'),
    });
    expect(notAfter.toISOString()).toBe('2030-01-01T00:00:00.000Z');
  });
});

describe("validity of an OCSP responder's certificate", () => {
  const made = (issuerNotAfter: string) =>
    responderValidity({
      days: 90,
      now: new Date('2026-01-01T00:00:00.700Z'),
      issuerNotAfter: new Date(issuerNotAfter),
    });

  it('is of whole days, the last second included', () => {
    expect(made('2030-01-01T00:00:00Z')).toEqual({
      notBefore: new Date('2026-01-01T00:00:00Z'),
      notAfter: new Date('2026-03-31T23:59:59Z'),
    });
  });

  it('does not outlive the authority it answers for', () => {
    expect(made('2026-02-01T00:00:00Z').notAfter).toEqual(new Date('2026-02-01T00:00:00Z'));
  });
});
