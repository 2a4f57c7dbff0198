import type { KnownValues, PartnerCall } from './calls.ts';
import { inMonths } from './named-calls.ts';

/** Lists for programs of partners, by each filter alone and by the usual pairs. */
export function partnerCalls(known: KnownValues): PartnerCall[] {
  const { reference, applicant, serialNumber, since, until } = known;
  const filters: Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, string>>>>>> = {
    '/gateway/requests': {
      'without a filter': {},
      'a common status': { status: 'GENERATED' },
      'a rare status': { status: 'ERROR' },
      'a status that nothing has': { status: 'GENERATING' },
      'a validation status': { validationStatus: 'REFUSED' },
      'a rare family': { family: 'FS' },
      'a family that nobody used': { family: 'API' },
      'a certificate type': { certificateType: 'TRADITIONAL_SIGNATURE' },
      'a code': { code: 'NAME_MISMATCH' },
      'a code that nothing has': { code: 'CLAIM_LINK_EXPIRED' },
      'an applicant': { identificationNumber: applicant },
      'an applicant that nobody is': { identificationNumber: '0999999999' },
      'a reference': { referenceTransaction: reference },
      'the beginning of all references': { referenceTransaction: 'STORED-' },
      'the beginning of no reference': { referenceTransaction: 'ZZZ' },
      'a day long ago': { from: since, to: until },
      'a day long ago and a rare status': { from: since, to: until, status: 'REFUSED' },
      'the beginning of all references and a rare status': {
        referenceTransaction: 'STORED-',
        status: 'ERROR',
      },
      'a reference and an unused family': { referenceTransaction: 'STORED-', family: 'API' },
      'yesterday and later, refused': { from: inMonths(-1), status: 'REFUSED' },
      'a code and a rare family': { code: 'NAME_MISMATCH', family: 'FS' },
      'page 20': { limit: '100' },
      'a rare status, page 20': { limit: '100', status: 'REFUSED' },
    },
    '/gateway/certificates': {
      'without a filter': {},
      'in force': { status: 'VALID' },
      revoked: { status: 'REVOKED' },
      ended: { status: 'EXPIRED' },
      'a serial number': { serialNumber },
      'in force, ends within a month': { status: 'VALID', notAfterTo: inMonths(1) },
      'ends within a month': { notAfterFrom: inMonths(0), notAfterTo: inMonths(1) },
      'ended long ago': { notAfterTo: inMonths(-18) },
      'ends beyond all': { notAfterFrom: inMonths(120) },
      'revoked, ends within a month': {
        status: 'REVOKED',
        notAfterFrom: inMonths(0),
        notAfterTo: inMonths(1),
      },
      'page 20': { limit: '100' },
    },
    '/gateway/events': {
      'without a filter': {},
      'a rare state': { state: 'FAILED' },
      'a state that nothing has': { state: 'PENDING' },
      'a common type': { type: 'certificate.issued' },
      'a type that nothing has': { type: 'certificate.expiring' },
      'a reference': { referenceTransaction: reference },
      'a day long ago': { from: since, to: until },
      'a day long ago and a rare state': { from: since, to: until, state: 'FAILED' },
      'a type and a rare state': { type: 'request.error', state: 'FAILED' },
      'page 20': { limit: '100' },
    },
  };
  return (['largePartner', 'smallPartner'] as const).flatMap((partner) =>
    Object.entries(filters).flatMap(([path, each]) =>
      Object.entries(each).map(([name, query]) => ({
        name: `${path} of a ${partner === 'largePartner' ? 'large' : 'small'} partner, ${name}`,
        partner,
        path,
        query,
        ...(name.includes('page 20') && { deep: 19 }),
      })),
    ),
  );
}
