import { expect, it } from 'vitest';
import { buildFileName, formatAttachment } from './file-name.ts';

const view = { applicantName: 'MARÍA JOSÉ ÑÚÑEZ', notAfter: '2030-11-24T02:00:00.000Z' };
const timeZone = 'America/Guayaquil';

it('the file’s name says whose it is and until which day there, in the page’s language', () => {
  expect(buildFileName(view, { language: 'es', timeZone })).toBe(
    'Firma electrónica de MARÍA JOSÉ ÑÚÑEZ hasta 2030-11-23.p12',
  );
  expect(buildFileName(view, { language: 'en', timeZone })).toBe(
    'Electronic signature of MARÍA JOSÉ ÑÚÑEZ until 2030-11-23.p12',
  );
});

it('the file’s name holds nothing that a system refuses, whatever the applicant is called', () => {
  const name = buildFileName(
    { ...view, applicantName: ' A/B\\"C"\r\nD: <x>\u202e ' },
    { language: 'es', timeZone },
  );
  expect(name).toBe('Firma electrónica de A B C D x hasta 2030-11-23.p12');
  expect(
    buildFileName({ applicantName: 'Ñ'.repeat(500), notAfter: null }, { language: 'es', timeZone }).length,
  ).toBe(125);
});

it('the header carries the name whole, and in ASCII for what knows no other', () => {
  expect(formatAttachment('Firma de Ñusta (a) 字.p12')).toBe(
    `attachment; filename="Firma de Nusta (a) _.p12"; filename*=UTF-8''Firma%20de%20%C3%91usta%20%28a%29%20%E5%AD%97.p12`,
  );
});
