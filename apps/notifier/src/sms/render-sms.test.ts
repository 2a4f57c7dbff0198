import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isGsm7, maxSmsLength, toGsm7 } from './gsm7.ts';
import { maskPhone } from './mask-phone.ts';
import { renderSms } from './render-sms.ts';

const message = {
  template: 'claim-code',
  language: 'es',
  partnerName: 'Cooperativa Ñandú',
  expiresAt: '2027-01-10T04:30:00.000Z',
} as const;
const context = { secret: '482913', baseUrl: 'https://firmas.example.org', timeZone: 'America/Guayaquil' };

describe('a code by SMS', () => {
  it('says first the code, then who asks and until when, and binds the code to the site', () => {
    expect(renderSms(message, context)).toBe(
      '482913 es su codigo de Rubrica para reclamar el certificado que pidio Cooperativa Ñandu. Vence a las 23:30. No lo comparta.\n@firmas.example.org #482913',
    );
    expect(renderSms({ ...message, template: 'download-code', language: 'en' }, context)).toBe(
      '482913 is your Rubrica code to download the certificate requested by Cooperativa Ñandu. Valid until 23:30. Do not share it.\n@firmas.example.org #482913',
    );
  });

  it.each(['claim', 'claim-reminder', 'certificate-ready'] as const)(
    'never carries the link of %s',
    (template) => {
      expect(renderSms({ ...message, template }, context)).toBeUndefined();
    },
  );

  it('gives up the line for the browser where the partner could not be told beside it', () => {
    const baseUrl = 'https://certificados-de-firma-electronica.cooperativa-andina.example.org';
    const text = renderSms(message, { ...context, baseUrl }) ?? '';
    expect(text).toContain('Cooperativa Ñandu');
    expect(text).not.toContain('@');
  });

  it('is one SMS of GSM-7 whatever the partner is called, with the code first and nothing after its last line', () => {
    const names = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 300 }),
      fc.string({ unit: 'binary', maxLength: 300 }),
    );
    fc.assert(
      fc.property(
        names,
        fc.constantFrom('claim-code' as const, 'download-code' as const),
        fc.constantFrom('es' as const, 'en' as const),
        fc.domain(),
        (partnerName, template, language, host) => {
          const baseUrl = `https://${host}`;
          const text =
            renderSms({ ...message, partnerName, template, language }, { ...context, baseUrl }) ?? '';
          expect(text.length).toBeLessThanOrEqual(maxSmsLength);
          expect(isGsm7(text)).toBe(true);
          expect(text.startsWith('482913 ')).toBe(true);
          const [, last, ...more] = text.split('\n');
          expect(more).toEqual([]);
          if (last !== undefined) expect(last).toBe(`@${new URL(baseUrl).hostname} #482913`);
        },
      ),
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
