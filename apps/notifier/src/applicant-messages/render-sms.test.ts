import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isGsm7, maxSmsLength, toGsm7 } from '../sms/gsm7.ts';
import { maskPhone } from './mask-phone.ts';
import { renderSms } from './render-sms.ts';

const message = {
  template: 'claim-code',
  language: 'es',
  partnerName: 'Cooperativa Ñandú',
  expiresAt: '2027-01-10T04:30:00.000Z',
} as const;
const context = {
  secret: '482913',
  timeZone: 'America/Guayaquil',
  baseUrl: 'https://firmas.example:8443/x',
};
const bound = '\n@firmas.example #482913';

describe('a code by SMS', () => {
  it('says first the code, then who asks and until when, and last for whose pages it is', () => {
    expect(renderSms(message, context)).toBe(
      `482913 es su codigo de Rubrica para retirar el certificado que pidio Cooperativa Ñandu. Vence a las 23:30. No lo comparta.${bound}`,
    );
    expect(renderSms({ ...message, template: 'download-code', language: 'en' }, context)).toBe(
      `482913 is your Rubrica code to download the certificate requested by Cooperativa Ñandu. Valid until 23:30. Do not share it.${bound}`,
    );
  });

  it('shortens a partner whose name would make a second SMS of it', () => {
    const partnerName = 'Cooperativa de Ahorro y Crédito de los Trabajadores del Sur Ltda.';
    const text = renderSms({ ...message, partnerName }, context) ?? '';
    expect(text).toContain(' que pidio Cooperativa de Ahorro y Crédi... Vence');
    expect(text.length).toBeLessThanOrEqual(maxSmsLength);
    expect(text.endsWith(bound)).toBe(true);
  });

  it('leaves out a host that would leave no room to say who asks', () => {
    const baseUrl = `https://${'firmas.'.repeat(8)}example`;
    const text = renderSms(message, { ...context, baseUrl }) ?? '';
    expect(text).toContain('Cooperativa Ñandu');
    expect(text).not.toContain('@');
  });

  it('ends its sentence once, also after a name that ends in a dot', () => {
    expect(renderSms({ ...message, partnerName: 'Andina Ltda.' }, context)).toContain('Andina Ltda. Vence');
  });

  it.each([
    ['Banco. Confirme en rubrica-ec.info/c', 'Banco. Confirme en rubrica-ec. info c'],
    ['https://banco.ec', 'https banco. ec'],
    ['Andina S.A.', 'Andina S.A'],
  ])('makes no link of a partner called %s', (partnerName, shown) => {
    const text = renderSms({ ...message, partnerName }, { ...context, baseUrl: 'https://f.ec' }) ?? '';
    expect(text).toContain(` ${shown}. Vence`);
  });

  it.each(['claim', 'claim-reminder', 'certificate-ready'] as const)(
    'never carries the link of %s',
    (template) => {
      expect(renderSms({ ...message, template }, context)).toBeUndefined();
    },
  );

  it('is one SMS in GSM-7, with the code first and its line last, whatever the partner is called', () => {
    const names = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 300 }),
      fc.string({ unit: 'binary', maxLength: 300 }),
    );
    const templates = fc.constantFrom(
      'claim-code' as const,
      'download-code' as const,
      'revoke-code' as const,
    );
    const languages = fc.constantFrom('es' as const, 'en' as const);
    fc.assert(
      fc.property(names, templates, languages, (partnerName, template, language) => {
        const text = renderSms({ ...message, partnerName, template, language }, context) ?? '';
        expect(text.length).toBeLessThanOrEqual(maxSmsLength);
        expect(isGsm7(text)).toBe(true);
        expect(text.startsWith('482913 ')).toBe(true);
        expect(text.split('\n')).toHaveLength(2);
        expect(text.endsWith(bound)).toBe(true);
      }),
    );
  });
});

describe('toGsm7', () => {
  it.each([
    ['Ánimo, María José Ñúñez', 'Animo, Maria José Ñuñez'],
    ['“Andina” – 10 €', '.Andina. . 10 .'],
    ['ﬁrma №1', 'firma No1'],
    ['株式会社', '....'],
  ])('writes %j as %j', (text, written) => expect(toGsm7(text)).toBe(written));
});

describe('maskPhone', () => {
  it.each([
    ['+593991234123', '+593*****123'],
    ['+12025550123', '+120*****123'],
    ['+1234567', '+1*****'],
  ])('hides %s as %s', (phone, masked) => expect(maskPhone(phone)).toBe(masked));
});
