import {
  webhookBodiesByFamily,
  webhookEnvelopesByFamily,
  webhookEventTypes,
} from '@rubrica/contracts/rest/webhooks';
import { families } from '@rubrica/contracts/shared/enumerations';
import { identifierNames } from '@rubrica/contracts/shared/identifiers';
import { describe, expect, it } from 'vitest';
import { type BodyOptions, buildWebhookBody } from './webhook-body.ts';

const requestId = '019aa1b2-0000-7000-8000-000000000001';
const event = {
  requestId,
  identifierName: 'linkedPartnerRequestId',
  referenceTransaction: 'TX-ñ-1',
  eventId: '019aa1b2-0000-7000-8000-000000000002',
  message: null,
  code: null,
  envelope: false,
  omitPassword: false,
  occurredAt: '2026-11-23T20:00:00.500Z',
  certificate: {
    serialNumber: '0A1B',
    notAfter: '2026-12-23T20:00:00.000Z',
    daysLeft: 30,
    revocationReason: 'superseded',
    revokedAt: '2026-11-23T20:00:00.123Z',
  },
} as const;
const timeZone = 'America/Guayaquil';
const made = (event: Parameters<typeof buildWebhookBody>[0], bundle?: BodyOptions['bundle']) =>
  buildWebhookBody(event, { bundle, timeZone });
const bundle = { file: 'MIIK', password: 'clave larga 1', serialNumber: '0A1B' };
const fieldsOf = (body: Buffer) => JSON.parse(body.toString('utf8')) as unknown;

describe('webhookBody', () => {
  it('has file, password and serial number for an issued certificate, and nothing else', () => {
    const body = made({ ...event, type: 'certificate.issued' }, bundle);
    expect(fieldsOf(body)).toEqual({ referenceTransaction: 'TX-ñ-1', ...bundle });
  });

  it('leaves the password out where the subscriber chose it', () => {
    const body = made({ ...event, type: 'certificate.issued', omitPassword: true }, bundle);
    expect(fieldsOf(body)).toEqual({ referenceTransaction: 'TX-ñ-1', file: 'MIIK', serialNumber: '0A1B' });
  });

  it('refuses to announce a certificate without its bundle', () => {
    expect(() => made({ ...event, type: 'certificate.issued' })).toThrow('needs its bundle');
  });

  it('refuses to leave out a password that the partner has to be given', () => {
    const withoutPassword = { file: 'MIIK', serialNumber: '0A1B' };
    expect(() => made({ ...event, type: 'certificate.issued' }, withoutPassword)).toThrow('password');
  });

  it('has identifier, transaction and message for an error, and nothing else', () => {
    const body = made({ ...event, type: 'request.error', message: 'No coincide' });
    expect(fieldsOf(body)).toEqual({
      linkedPartnerRequestId: requestId,
      referenceTransaction: 'TX-ñ-1',
      message: 'No coincide',
    });
  });

  it('adds status REFUSED for a refusal', () => {
    const body = made({ ...event, type: 'request.refused', message: 'Límite' });
    expect(fieldsOf(body)).toEqual({
      linkedPartnerRequestId: requestId,
      referenceTransaction: 'TX-ñ-1',
      status: 'REFUSED',
      message: 'Límite',
    });
  });

  it('says the end of a certificate and the days that were left, in the time zone of the service', () => {
    const body = made({ ...event, type: 'certificate.expiring' });
    expect(body.toString('utf8')).toBe(
      '{"referenceTransaction":"TX-ñ-1","serialNumber":"0A1B","notAfter":"2026-12-23T15:00:00.000","daysLeft":30}',
    );
  });

  it('says why and when a certificate was revoked', () => {
    const body = made({ ...event, type: 'certificate.revoked' });
    expect(fieldsOf(body)).toEqual({
      referenceTransaction: 'TX-ñ-1',
      serialNumber: '0A1B',
      revocationReason: 'superseded',
      revokedAt: '2026-11-23T15:00:00.123',
    });
  });

  it('makes no body for a certificate of which nothing is known', () => {
    for (const type of ['certificate.expiring', 'certificate.revoked'] as const)
      expect(() => made({ ...event, type, certificate: null })).toThrow(type);
  });

  it("uses the family's own name for the identifier", () => {
    const body = made({ ...event, type: 'request.error', identifierName: 'requestId', message: 'x' });
    expect(fieldsOf(body)).toEqual({ requestId, referenceTransaction: 'TX-ñ-1', message: 'x' });
  });

  it.each(webhookEventTypes)('has exactly the fields of %s in every family', (type) => {
    for (const family of families) {
      const body = made({ ...event, type, identifierName: identifierNames[family] }, bundle);
      const { success, data } = webhookBodiesByFamily[family][type].safeParse(fieldsOf(body));
      expect(success, family).toBe(true);
      // Strict receivers may also depend on the order.
      expect(JSON.stringify(data), family).toBe(body.toString('utf8'));
    }
  });

  it('makes no body for a type that has none', () => {
    const unknown = 'request.paused' as never;
    expect(() => made({ ...event, type: unknown, message: 'x' })).toThrow('request.paused');
  });

  it.each(webhookEventTypes)(
    'says type, id and time of %s in the envelope, around the same fields',
    (type) => {
      for (const family of families) {
        const told = { ...event, type, identifierName: identifierNames[family], message: 'x' };
        const code = 'NAME_MISMATCH';
        const whole = made({ ...told, code, envelope: true }, bundle);
        const { success, data } = webhookEnvelopesByFamily[family][type].safeParse(fieldsOf(whole));
        expect(success, family).toBe(true);
        expect(JSON.stringify(data), family).toBe(whole.toString('utf8'));
        const plain = fieldsOf(made(told, bundle)) as object;
        const errorCode = 'message' in plain ? { code } : {};
        expect(data).toEqual({
          type,
          id: event.eventId,
          occurredAt: '2026-11-23T15:00:00.500',
          data: { ...plain, ...errorCode },
        });
      }
    },
  );
});
