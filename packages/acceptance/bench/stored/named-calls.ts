import { type KnownValues, type OperatorCall, searches } from './calls.ts';

/**
 * Maximum rows of one search for a name, independent of the stored data: the newest of all, and the newest entries of
 * its words.
 */
export const mostRowsOfName = 60_000;

/** Returns the instant this number of months from now. */
export function inMonths(months: number): string {
  const day = new Date();
  day.setUTCMonth(day.getUTCMonth() + months);
  return day.toISOString();
}

/** Lists searches by name, address and time, alone and with other filters. */
export function namedCalls(known: KnownValues): OperatorCall[] {
  const { largePartner, name, email, since, until, applicant } = known;
  const calls = [
    ...searches('requests.search', {
      'a whole name': { name },
      'a frequent word': { name: 'maria' },
      'a rare word': { name: 'xolalpa' },
      'a word that nobody has': { name: 'wolfeschlegel' },
      'a letter': { name: 'm' },
      'a beginning that nobody has': { name: '9' },
      'two frequent words': { name: 'jose zambrano' },
      'words that are rare together': { name: 'zoila xolalpa' },
      'words that nobody has together': { name: 'luis maria rosa diego' },
      'an e-mail address': { email },
      'an address that nobody has': { email: 'nobody@example.com' },
      'the beginning of many addresses': { email: 'applicant1' },
      'the beginning of all addresses': { email: 'a' },
      'name and a rare status': { name: 'zambrano', status: 'ERROR' },
      'a rare name and a common status': { name: 'xolalpa', status: 'GENERATED' },
      'a frequent name and a status that nothing has': { name: 'maria', status: 'GENERATING' },
      'name, partner, family and status': {
        name: 'vera',
        partnerId: largePartner,
        family: 'FR',
        status: 'REFUSED',
      },
      'name and address': { name: 'maria', email: 'applicant12' },
      'name and applicant': { name, identificationNumber: applicant },
      'a day long ago': { from: since, to: until },
      'a day long ago and a rare status': { from: since, to: until, status: 'REFUSED' },
      'name and a day long ago': { name: 'maria', from: since, to: until },
      'until long ago, partner and family': { to: until, partnerId: largePartner, family: 'FS' },
    }),
    ...searches('certificates.search', {
      'an identification number': { identificationNumber: applicant },
      'a number that nobody has': { identificationNumber: '0999999999' },
      'a whole name': { name },
      'a frequent word': { name: 'maria' },
      'words that nobody has together': { name: 'luis maria rosa diego' },
      'a letter': { name: 'm' },
      'in force': { status: 'VALID' },
      revoked: { status: 'REVOKED' },
      ended: { status: 'EXPIRED' },
      'ends within a month': { notAfterFrom: inMonths(0), notAfterTo: inMonths(1) },
      'ended long ago': { notAfterTo: inMonths(-18) },
      'ends beyond all': { notAfterFrom: inMonths(120) },
      'revoked and ends within a month': {
        status: 'REVOKED',
        notAfterFrom: inMonths(0),
        notAfterTo: inMonths(1),
      },
      'name and revoked': { name: 'zambrano', status: 'REVOKED' },
      'name and ends within a month': { name: 'maria', notAfterFrom: inMonths(0), notAfterTo: inMonths(1) },
      'a rare name and ended': { name: 'xolalpa', status: 'EXPIRED' },
      'name and number': { name: 'maria', identificationNumber: applicant },
    }),
  ];
  return calls.map((call) => ({ ...call, mostRows: mostRowsOfName }));
}
