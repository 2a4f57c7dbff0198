import { dateText } from '../pages/dates.ts';
import { type Html, html } from '../pages/html.ts';
import { type Texts, texts } from './texts.ts';
import type { ClaimView, PageContext, Refused, RefusedField } from './types.ts';

const stepOf = { OPEN: 0, IN_PROGRESS: 1, ISSUED: 2 } as const;

/** The step the applicant is at, for eyes and for screen readers. */
export function stepsBar(state: keyof typeof stepOf, words: Texts): Html {
  const present = stepOf[state];
  const items = words.steps.map((name, index) => {
    if (index === present) return html`<li aria-current="step">${name}</li>`;
    return html`<li${index < present && html` class="done"`}>${name}</li>`;
  });
  return html`<ol class="steps" aria-label="${words.stepsLabel}">${items}</ol>`;
}

/** Title and first words of a page in the state the link is in. */
export function heading(view: ClaimView, words: Texts): Html {
  return html`<h1 tabindex="-1">${words.title[view.state]}</h1><p class="lead">${words.lead[view.state]}</p>`;
}

/** Who and what, and until when. */
export function facts(view: ClaimView, context: PageContext): Html {
  const { facts: names, applicationType, period } = texts[context.language];
  const day = (instant: string | null) => instant && dateText(instant, context, 'day');
  const rows: readonly (readonly [string, string | null | false])[] = [
    [names.applicant, view.applicantName],
    [names.identification, view.identificationMasked],
    [names.kind, `${applicationType[view.applicationType]}, ${period[view.period]}`],
    [names.company, view.companySocialReason],
    [names.partner, view.partnerName],
    [names.until, view.state === 'OPEN' && day(view.expiresAt)],
    [names.serialNumber, view.serialNumber],
    [names.notAfter, day(view.notAfter)],
    [names.downloadUntil, view.state === 'ISSUED' && day(view.downloadUntil)],
  ];
  const shown = rows.filter(([, value]) => value);
  return html`<dl>${shown.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value || ''}</dd></div>`)}</dl>`;
}

/** All faults, at the top, each with a link to its field. */
export function summary(refused: Refused | undefined, words: Texts): Html | undefined {
  if (refused === undefined || refused.faults.length === 0) return undefined;
  const item = (fault: RefusedField) => {
    const text = faultText(fault, words);
    return fault.field === 'page'
      ? html`<li>${text}</li>`
      : html`<li><a href="#${fault.field}">${text}</a></li>`;
  };
  const { retryAfterSeconds } = refused;
  return html`<div class="summary" role="alert" tabindex="-1"><h2>${words.problem}</h2><ul>${refused.faults.map(item)}</ul>${retryAfterSeconds !== undefined && html`<p>${words.wait(words.seconds(retryAfterSeconds))}</p>`}</div>`;
}

function faultText({ code, field, weakness }: RefusedField, words: Texts): string {
  if (weakness !== undefined) return `${words.weakPassword.begin} ${words.weakPassword[weakness]}`;
  return words.faults[`${field} ${code}`] ?? words.errors.OTHER?.[0] ?? '';
}

export interface FieldOptions {
  readonly name: string;
  readonly label: string;
  readonly hint?: string;
  readonly refused: Refused | undefined;
  readonly words: Texts;
  readonly attributes: Html;
  /** What stands below the field. */
  readonly below?: Html;
}

/** A labelled field with its hint and its fault, connected for screen readers. */
export function field(options: FieldOptions): Html {
  const { name, label, hint, refused, words, attributes, below } = options;
  const fault = refused?.faults.find((one) => one.field === name);
  const described = [hint !== undefined && `${name}-hint`, fault && `${name}-fault`]
    .filter(Boolean)
    .join(' ');
  return html`<div class="field"><label for="${name}">${label}</label>${hint !== undefined && html`<p class="hint" id="${name}-hint">${hint}</p>`}${faultNote(fault, words)}
<input id="${name}" name="${name}" ${attributes} required${described !== '' && html` aria-describedby="${described}"`}${fault && html` aria-invalid="true"`}>${below}</div>`;
}

export function faultNote(fault: RefusedField | undefined, words: Texts): Html | undefined {
  return fault && html`<p class="fault" id="${fault.field}-fault">${faultText(fault, words)}</p>`;
}

/** The field for a code that was sent. */
export function codeField(refused: Refused | undefined, words: Texts): Html {
  const attributes = html`class="code" type="text" inputmode="numeric" autocomplete="one-time-code" maxlength="9" spellcheck="false" value="${refused?.code ?? ''}"`;
  const { label, hint } = words.code;
  return field({ name: 'code', label, hint, refused, words, attributes });
}
