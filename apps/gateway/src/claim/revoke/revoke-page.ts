import { type Html, html } from '@rubrica/html';
import type { Page } from '../../pages/layout.ts';
import type { PageLanguage } from '../../pages/page-language.ts';
import { browserField } from './asking-browser.ts';
import { type NamedCertificate, type RevokeFault, reasons } from './revoke-form.ts';
import { revokeTexts, type Texts } from './revoke-texts.ts';

/** What a page of `/revoke` shows again of a form that was sent. */
export interface RevokeParts {
  readonly context: PageLanguage;
  /** Where the forms go: below a claim's link, or for whoever names a certificate. */
  readonly base: string;
  /** Null below a link, which names the certificate itself. */
  readonly names: NamedCertificate | null;
  /** Value of the browser that asked for the code. */
  readonly browser?: string | undefined;
  readonly faults: readonly RevokeFault[];
}

/** Which certificate; a code goes out next. */
export function beginPage({ context, base, names, browser, faults }: RevokeParts): Page {
  const words = revokeTexts[context.language];
  const fields = names === null ? [] : namedFields(names, words);
  return {
    title: words.begin[0],
    main: html`${summary(faults, words)}${heading(words.begin)}
<form method="post" action="${base}/code${context.query}" class="send">${hiddenFields({}, browser)}${fields.map((one) => one(faults, words))}
<button type="submit">${words.send}</button><p class="hint">${words.sendHint}</p></form>`,
  };
}

function namedFields({ identificationNumber, serialNumber }: NamedCertificate, words: Texts) {
  return [
    field({ name: 'identificationNumber', label: words.identification, value: identificationNumber }),
    field({ name: 'serialNumber', label: words.serial, hint: words.serialHint, value: serialNumber }),
  ];
}

/** The code and the reason. It looks the same whether a code was sent or not. */
export function codePage({ context, base, names, browser, faults }: RevokeParts): Page {
  const words = revokeTexts[context.language];
  // By the link of the claim a code is good in any browser.
  const hint = names === null ? {} : { hint: words.codeHint };
  const code = field({ name: 'code', label: words.code, ...hint, value: '', isCode: true });
  const reason = (one: (typeof reasons)[number]) =>
    html`<label class="check"><input type="radio" name="reason" value="${one}" required>${words.reasons[one]}</label>`;
  const begin = `${base}${context.query}`;
  return {
    title: words.enter[0],
    main: html`${summary(faults, words)}${heading(words.enter)}
<form method="post" action="${begin}" class="send">
${hiddenFields({ ...names }, browser)}${code(faults, words)}<div class="field" role="radiogroup" aria-labelledby="reason"><p class="label" id="reason" tabindex="-1">${words.why}</p>${faultNote('reason', faults, words)}${reasons.map(reason)}</div>
<button type="submit">${words.submit}</button><p class="hint">${words.forGood}</p></form><p class="actions"><a class="button quiet" href="${begin}">${words.again}</a></p>`,
  };
}

function hiddenFields(fields: Readonly<Record<string, string>>, browser: string | undefined): Html[] {
  const all = browser === undefined ? fields : { ...fields, [browserField]: browser };
  return Object.entries(all).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
  );
}

/** There is nothing more to do. */
export function endPage(end: 'done' | 'already', { language }: PageLanguage): Page {
  const titled = revokeTexts[language][end];
  return { title: titled[0], main: heading(titled) };
}

function heading([title, lead]: Texts['begin']): Html {
  return html`<h1 tabindex="-1">${title}</h1><p class="lead">${lead}</p>`;
}

function summary(faults: readonly RevokeFault[], words: Texts): Html | undefined {
  if (faults.length === 0) return undefined;
  const item = (fault: RevokeFault) =>
    fault === 'page'
      ? html`<li>${words.faults.page}</li>`
      : html`<li><a href="#${fault}">${words.faults[fault]}</a></li>`;
  return html`<div class="summary" role="alert" tabindex="-1"><h2>${words.problem}</h2><ul>${faults.map(item)}</ul></div>`;
}

function faultNote(name: RevokeFault, faults: readonly RevokeFault[], words: Texts): Html | undefined {
  if (!faults.includes(name)) return undefined;
  return html`<p class="fault" id="${name}-fault">${words.faults[name]}</p>`;
}

/** A labelled field with its hint and its fault, connected for screen readers. */
function field(options: {
  readonly name: 'identificationNumber' | 'serialNumber' | 'code';
  readonly label: string;
  readonly hint?: string;
  readonly value: string;
  readonly isCode?: boolean;
}) {
  const { name, label, hint, value, isCode = false } = options;
  const input = isCode
    ? html`class="code" inputmode="numeric" autocomplete="one-time-code" maxlength="9" autofocus`
    : html`autocomplete="off" maxlength="79"`;
  return (faults: readonly RevokeFault[], words: Texts): Html => {
    const isFaulty = faults.includes(name);
    const described = [hint !== undefined && `${name}-hint`, isFaulty && `${name}-fault`].filter(Boolean);
    return html`<div class="field"><label for="${name}">${label}</label>${hint !== undefined && html`<p class="hint" id="${name}-hint">${hint}</p>`}${faultNote(name, faults, words)}
<input id="${name}" name="${name}" type="text" ${input} spellcheck="false" value="${value}" required${described.length > 0 && html` aria-describedby="${described.join(' ')}"`}${isFaulty && html` aria-invalid="true"`}></div>`;
  };
}
