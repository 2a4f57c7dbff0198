import { type Html, html } from '@rubrica/html';
import { labels } from '../content/labels.ts';
import type { Language } from '../language.ts';
import type { SampleCall } from '../samples/sample.ts';

/** Renders a form that makes the call from the page, to its own origin. Hidden without scripts. */
export function renderTryForm(
  call: SampleCall,
  { path, language }: { readonly path: string; readonly language: Language },
): Html {
  const text = labels[language];
  const { method, mediaType, access, query, body } = call;
  const token = html`<label>${text.token}<input name="token" type="password" autocomplete="off" spellcheck="false"></label>`;
  const fields = Object.entries(query).map(
    ([name, value]) =>
      html`<label><code>${name}</code><input name="query.${name}" value="${value}" autocomplete="off"></label>`,
  );
  const isLine = mediaType === 'application/x-ndjson';
  const given = body !== undefined && JSON.stringify(addClient(body, access), null, isLine ? 0 : 2);
  return html`<section hidden><h2 id="try">${text.try}</h2><p>${text.tryLead}</p>
<form class="try" data-method="${method}" data-path="${path}" data-media="${mediaType ?? ''}" data-failed="${text.noAnswer}">
${access === 'token' && token}${fields}
${given !== false && html`<label>${text.body}<textarea name="body" rows="12" spellcheck="false">${given}</textarea></label>`}
<button>${text.send}</button><pre tabindex="0" hidden aria-live="polite"></pre></form></section>`;
}

function addClient(body: object, access: SampleCall['access']): object {
  return access === 'client' ? { ...body, client_id: '', client_secret: '' } : body;
}
