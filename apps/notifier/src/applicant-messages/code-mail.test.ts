import { describe, expect, it } from 'vitest';
import { renderMail } from './render-mail.ts';

const message = {
  language: 'es',
  applicantName: 'María José 111111',
  partnerName: 'Andina 222222',
  expiresAt: '2027-01-10T04:30:00.000Z',
} as const;
const context = { secret: '482913', baseUrl: 'https://firmas.333333.example', timeZone: 'America/Guayaquil' };

describe('a code by e-mail', () => {
  it.each([
    ['claim-code', 'es'],
    ['claim-code', 'en'],
    ['download-code', 'es'],
    ['download-code', 'en'],
    ['revoke-code', 'es'],
    ['revoke-code', 'en'],
  ] as const)('stands before anything that could be taken for it: %s, %s', (template, language) => {
    const { subject, text } = renderMail({ ...message, template, language }, context);
    expect(/(?<!\d)\d{6}(?!\d)/.exec(text)?.[0]).toBe('482913');
    // A subject is shown on locked screens and stands in the logs of mail servers.
    expect(subject).not.toContain('482913');
  });
});
