import { describe, expect, it } from 'vitest';
import { type MailTexts, mailTexts } from './mail-texts.ts';
import { type MailMessage, renderMail } from './render-mail.ts';
import { allTemplates, templateKinds } from './template-kinds.ts';

const message = {
  template: 'claim',
  language: 'es',
  applicantName: 'María José Ñúñez',
  partnerName: 'Cooperativa Andina',
  partnerEmail: 'firmas@andina.example',
  expiresAt: '2027-01-10T04:30:00.000Z',
  certificate: { subscriberName: 'María José Ñúñez Pazmiño', serialNumber: '0A1B2C3D', daysLeft: 15 },
} as const;
const context = { secret: 'abc_DEF-1', baseUrl: 'http://127.0.0.1:3000', timeZone: 'America/Guayaquil' };
const url = 'http://127.0.0.1:3000/claim/abc_DEF-1';

describe('the claim mail', () => {
  it('says in Spanish who asked, where to go and until when, in the local time', () => {
    const { subject, text, html } = renderMail(message, context);
    expect(subject).toBe('Su certificado de firma electrónica está listo para retirar');
    for (const part of [text, html]) {
      expect(part).toContain('María José Ñúñez');
      expect(part).toContain('Cooperativa Andina');
      expect(part).toContain('firmas@andina.example');
      expect(part).toContain('Enlace válido hasta');
      expect(part).toContain(url);
      expect(part).toContain('9 de enero de 2027');
      expect(part).toContain('23:30');
    }
    expect(html).toContain('<html lang="es">');
  });

  it('says the same in English', () => {
    const { subject, text, html } = renderMail({ ...message, language: 'en' }, context);
    expect(subject).toBe('Your electronic signature certificate is ready to be claimed');
    expect(text).toContain('9 January 2027');
    expect(html).toContain('<html lang="en">');
  });

  it('keeps markup in names from becoming markup in the mail', () => {
    const hostile = `<img src=x onerror=alert(1)> & "O'Neil"`;
    const { html } = renderMail({ ...message, applicantName: hostile, partnerName: hostile }, context);
    expect(html).not.toContain('<img');
    expect(html).toContain('&lt;img src=x onerror=alert(1)&gt; &amp; &quot;O&#39;Neil&quot;');
  });

  it('loads nothing from outside and links nowhere but to the claim page', () => {
    const { html } = renderMail(message, context);
    expect([...html.matchAll(/(?:href|src)="([^"]*)"/g)].map(([, target]) => target)).toEqual([url, url]);
  });

  it('does not promise an end where there is none', () => {
    expect(renderMail({ ...message, expiresAt: null }, context).text).not.toContain('válido hasta');
  });

  it('keeps a token inside its path segment', () => {
    const { text } = renderMail(message, { ...context, secret: '../evil?x' });
    expect(text).toContain('http://127.0.0.1:3000/claim/..%2Fevil%3Fx');
  });
});

describe('the reminder of the end of a certificate', () => {
  const reminder = { ...message, template: 'end-reminder' } as const;
  const withoutLink = { ...context, secret: undefined };

  it('says whose it is, which, until when, and whom to ask', () => {
    const { subject, text } = renderMail(reminder, withoutLink);
    expect(subject).toBe('Su certificado de firma electrónica vence el 9 de enero de 2027');
    expect(text).toContain('Su certificado vence en 15 días\n');
    for (const fact of [
      'Certificado de: María José Ñúñez Pazmiño',
      'Solicitado por: Cooperativa Andina',
      'Consultas: firmas@andina.example',
      'Vence el: 9 de enero de 2027 a las 23:30',
      'Número de serie: 0A1B2C3D',
    ])
      expect(text).toContain(fact);
    expect(text).toContain('pida la renovación a Cooperativa Andina');
  });

  it.each([
    [2, 'ends in 2 days'],
    [1, 'ends in less than a day'],
  ])('with %i days left says that it %s', (daysLeft, said) => {
    const certificate = { ...message.certificate, daysLeft };
    const { text } = renderMail({ ...reminder, language: 'en', certificate }, withoutLink);
    expect(text).toContain(said);
  });

  it('leads to the page of the renewal where its subscriber may renew, and nowhere else', () => {
    const { html } = renderMail({ ...message, template: 'renewal-reminder' }, context);
    expect(html).toContain('http://127.0.0.1:3000/renew/abc_DEF-1');
    expect(html).not.toContain('/claim/');
  });
});

describe('every mail', () => {
  const secretsOf = (template: MailMessage['template']) => {
    if (template === 'end-reminder') return undefined;
    return templateKinds[template] === 'code' ? '482913' : context.secret;
  };
  const linkOf = (template: MailMessage['template']) =>
    template === 'renewal-reminder' ? url.replace('claim', 'renew') : url;
  const all = allTemplates.flatMap((template) =>
    (['es', 'en'] as const).map((language) => [template, language] as const),
  );

  it.each(all)('%s in %s says in both forms who asks, until when, and what to do', (template, language) => {
    const secret = secretsOf(template);
    const { subject, text, html } = renderMail({ ...message, template, language }, { ...context, secret });
    for (const part of [text, html]) {
      for (const said of ['María José Ñúñez', 'Cooperativa Andina', '23:30', secret ?? '']) {
        expect(part).toContain(said);
      }
      expect(part).not.toMatch(/[{}]\w*(applicant|partner|day|when)|undefined/);
    }
    expect(subject).toMatch(/^[^{}]{20,90}$/);
    const targets = [...html.matchAll(/(?:href|src)="([^"]*)"/g)].map(([, target]) => target);
    expect(new Set(targets)).toEqual(
      new Set(templateKinds[template] === 'code' || !secret ? [] : [linkOf(template)]),
    );
  });

  it.each(allTemplates)('%s says the same in both languages', (template) => {
    const { es, en } = mailTexts[template];
    const shape = (texts: MailTexts) => ({
      paragraphs: texts.paragraphs.length,
      notes: texts.notes.length,
      button: texts.button === undefined,
      names: [...JSON.stringify(texts).matchAll(/\{\w+\}/g)].map(([name]) => name).sort(),
    });
    expect(shape(es)).toEqual(shape(en));
  });

  it('greets nobody by name where no name is known', () => {
    expect(renderMail({ ...message, applicantName: ' ' }, context).text).toContain('\nHola:\n');
  });

  it('keeps a name to its line, and in the direction of the text', () => {
    const { text } = renderMail({ ...message, partnerName: 'Andina\r\n\u202ekcabyap' }, context);
    expect(text).toContain('Solicitado por: Andina kcabyap\n');
  });
});
