import { type Html, html } from '@rubrica/html';
import type { Page } from '../../pages/layout.ts';
import type { PageLanguage } from '../../pages/page-language.ts';
import { browserField } from './browser-value.ts';
import { type NamedCertificate, type RevokeFault, reasons } from './revoke-form.ts';
import { revokeTexts, type Texts } from './revoke-texts.ts';

/** Content of a `/revoke` page, including the input of a submitted form. */
export interface RevokeParts {
  readonly context: PageLanguage;
  /** Address of the forms: below a claim's link, or the page that asks for the certificate. */
  readonly base: string;
  /** Null below a link, which identifies the certificate. */
  readonly names: NamedCertificate | null;
  /** Value of the browser that requested the code. */
  readonly browser?: string | undefined;
  readonly faults: readonly RevokeFault[];
}

/** Renders the first page, which identifies the certificate and sends a code. */
export function renderBeginPage({ context, base, names, browser, faults }: RevokeParts): Page {
  const words = revokeTexts[context.language];
  const fields = names === null ? [] : createCertificateFields(names, words);
  return {
    title: words.begin[0],
    main: html`${renderSummary(faults, words)}${renderHeading(words.begin)}
<form method="post" action="${base}/code${context.query}" class="send">${renderHiddenFields({}, browser)}${fields.map((renderField) => renderField(faults, words))}
<button type="submit">${words.send}</button><p class="hint">${words.sendHint}</p></form>`,
  };
}

function createCertificateFields({ identificationNumber, serialNumber }: NamedCertificate, words: Texts) {
  return [
    createField({ name: 'identificationNumber', label: words.identification, value: identificationNumber }),
    createField({ name: 'serialNumber', label: words.serial, hint: words.serialHint, value: serialNumber }),
  ];
}

/** Renders the form for code and reason, which looks the same whether a code was sent or not. */
export function renderCodePage({ context, base, names, browser, faults }: RevokeParts): Page {
  const words = revokeTexts[context.language];
  // Below a claim's link a code is valid in any browser.
  const hint = names === null ? {} : { hint: words.codeHint };
  const code = createField({ name: 'code', label: words.code, ...hint, value: '', isCode: true });
  const renderReason = (value: (typeof reasons)[number]) =>
    html`<label class="check"><input type="radio" name="reason" value="${value}" required>${words.reasons[value]}</label>`;
  const begin = `${base}${context.query}`;
  return {
    title: words.enter[0],
    main: html`${renderSummary(faults, words)}${renderHeading(words.enter)}
<form method="post" action="${begin}" class="send">
${renderHiddenFields({ ...names }, browser)}${code(faults, words)}<div class="field" role="radiogroup" aria-labelledby="reason"><p class="label" id="reason" tabindex="-1">${words.why}</p>${renderFault('reason', faults, words)}${reasons.map(renderReason)}</div>
<button type="submit">${words.submit}</button><p class="hint">${words.forGood}</p></form><p class="actions"><a class="button quiet" href="${begin}">${words.again}</a></p>`,
  };
}

function renderHiddenFields(fields: Readonly<Record<string, string>>, browser: string | undefined): Html[] {
  const all = browser === undefined ? fields : { ...fields, [browserField]: browser };
  return Object.entries(all).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
  );
}

/** Renders the final page. */
export function renderEndPage(end: 'done' | 'already', { language }: PageLanguage): Page {
  const texts = revokeTexts[language][end];
  return { title: texts[0], main: renderHeading(texts) };
}

function renderHeading([title, lead]: Texts['begin']): Html {
  return html`<h1 tabindex="-1">${title}</h1><p class="lead">${lead}</p>`;
}

function renderSummary(faults: readonly RevokeFault[], words: Texts): Html | undefined {
  if (faults.length === 0) return undefined;
  const item = (fault: RevokeFault) =>
    fault === 'page'
      ? html`<li>${words.faults.page}</li>`
      : html`<li><a href="#${fault}">${words.faults[fault]}</a></li>`;
  return html`<div class="summary" role="alert" tabindex="-1"><h2>${words.problem}</h2><ul>${faults.map(item)}</ul></div>`;
}

function renderFault(name: RevokeFault, faults: readonly RevokeFault[], words: Texts): Html | undefined {
  if (!faults.includes(name)) return undefined;
  return html`<p class="fault" id="${name}-fault">${words.faults[name]}</p>`;
}

/** Creates a labelled field with its hint and its fault, connected for screen readers. */
function createField(options: {
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
    return html`<div class="field"><label for="${name}">${label}</label>${hint !== undefined && html`<p class="hint" id="${name}-hint">${hint}</p>`}${renderFault(name, faults, words)}
<input id="${name}" name="${name}" type="text" ${input} spellcheck="false" value="${value}" required${described.length > 0 && html` aria-describedby="${described.join(' ')}"`}${isFaulty && html` aria-invalid="true"`}></div>`;
  };
}
