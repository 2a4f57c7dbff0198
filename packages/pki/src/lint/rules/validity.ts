import type { ParsedTime } from '../../certificate/parse.ts';
import { tags } from '../../der/write.ts';
import { addCalendar, validityPeriods } from '../../profile/validity.ts';
import { type Fault, ruleTable } from '../rule.ts';

function encodingFault(name: string, { date, tag }: ParsedTime): Fault {
  const wanted = date.getUTCFullYear() < 2050 ? tags.utcTime : tags.generalizedTime;
  if (tag === wanted) return undefined;
  return `${name} in ${date.getUTCFullYear()} must be ${wanted === tags.utcTime ? 'UTCTime' : 'GeneralizedTime'}`;
}

/** Difference of a period's length between the calendars of two time zones. */
const ZONE_SLACK = { days: 1, months: 0 };

/** Rules on the validity. Every readable certificate already has times with seconds, a `Z` and no fraction. */
export const validityRules = ruleTable({
  validity_encoding: {
    source: 'RFC 5280 §4.1.2.5',
    about: 'times are UTCTime up to 2049 and GeneralizedTime from 2050',
    check: ({ notBefore, notAfter }) =>
      encodingFault('notBefore', notBefore) || encodingFault('notAfter', notAfter),
  },
  validity_order: {
    source: 'RFC 5280 §4.1.2.5',
    about: 'notAfter is after notBefore',
    check: ({ notBefore, notAfter }) => notBefore.date >= notAfter.date && 'notAfter is not after notBefore',
  },
  validity_within_profile: {
    source: "operator's profile",
    about: 'the end is not after the one that was agreed',
    check: ({ notAfter }, { notAfterLimit }) =>
      notAfter.date > notAfterLimit && `ends ${notAfter.date.toISOString()}, after the agreed end`,
  },
  validity_at_most_longest_period: {
    source: "operator's profile",
    appliesTo: 'subscriber',
    about: 'a subscriber is certified for five years at most, the longest period',
    check: ({ notBefore, notAfter }) => {
      const longest = addCalendar(notBefore.date, validityPeriods.FIVE_YEARS, 'UTC');
      return notAfter.date >= addCalendar(longest, ZONE_SLACK, 'UTC') && 'longer than the longest period';
    },
  },
  validity_begins_within_issuer: {
    source: 'RFC 5280 §6.1.3 (shell model)',
    about: 'does not begin before the issuer',
    check: ({ notBefore }, { issuer }) =>
      issuer && notBefore.date < issuer.notBefore.date && "begins before the authority's own validity",
  },
  validity_ends_within_issuer: {
    source: 'RFC 5280 §6.1.3 (shell model)',
    about: 'does not end after the issuer',
    check: ({ notAfter }, { issuer }) =>
      issuer && notAfter.date > issuer.notAfter.date && "ends after the authority's own validity",
  },
});
