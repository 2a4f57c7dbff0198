import { type Html, html } from '@rubrica/html';
import { formatDuration } from '../pages/counts.ts';
import { formatDate } from '../pages/dates.ts';
import { address } from './claim-link.ts';
import type { ScreenParts } from './screens/screen.ts';
import { selectTexts, type Texts } from './texts/texts.ts';
import type { ClaimView, PageContext, RefusedField, RefusedFormView } from './types.ts';

/** Renders the current step, also for screen readers. */
export function renderSteps(present: number, words: Texts): Html {
  const items = words.steps.map((name, index) => {
    if (index === present) return html`<li aria-current="step">${name}</li>`;
    return html`<li${index < present && html` class="done"`}>${name}</li>`;
  });
  return html`<ol class="steps" aria-label="${words.stepsLabel}">${items}</ol>`;
}

/** Renders title and introduction of a page, by the state of the link. */
export function renderPageHeading(view: ClaimView, words: Texts): Html {
  return html`<h1 tabindex="-1">${words.title[view.state]}</h1><p class="lead">${words.lead[view.state]}</p>`;
}

/** Renders the partner's logo, with the partner's name as alternative text. */
export function renderLogo(
  { partnerName, hasLogo }: Pick<ClaimView, 'partnerName' | 'hasLogo'>,
  { link, token }: Pick<PageContext, 'link' | 'token'>,
): Html | undefined {
  if (!hasLogo) return undefined;
  return html`<p class="logo"><img src="${address({ link, token, query: '' }, '/logo')}" alt="${partnerName}"></p>`;
}

/**
 * Renders the download buttons: one, or a second where the partner allows older encryption, with a hint about it. Enter
 * submits the first.
 */
export function renderDownloadButtons(
  { offersLegacyFile }: Pick<ClaimView, 'offersLegacyFile'>,
  { label, attributes }: { readonly label: string; readonly attributes: Html },
  words: Texts,
): Html {
  if (!offersLegacyFile) return html`<button type="submit"${attributes}>${label}</button>`;
  const { legacy, legacyHint } = words.file;
  return html`<button type="submit" name="encoding" value="modern"${attributes}>${label}</button>
<p class="hint" id="legacy-hint">${legacyHint}</p>
<button type="submit" name="encoding" value="legacy" class="quiet" aria-describedby="legacy-hint">${legacy}</button>`;
}

/** Renders the facts of the certificate. */
export function renderCertificateFacts(view: ClaimView, context: PageContext): Html {
  const { facts: names, applicationType, period } = selectTexts(context);
  const day = (instant: string | null) => instant && formatDate(instant, context, 'day');
  // After the claim these need no checking.
  const isOpen = view.state === 'OPEN';
  // For a renewal the button must be visible without scrolling, also on a small telephone.
  const isShort = isOpen && context.link === 'renew';
  const rows: readonly (readonly [string, Html | string | null | false])[] = [
    [names.applicant, view.applicantName],
    [names.identification, isOpen && view.identificationMasked],
    [names.kind, `${applicationType[view.applicationType]}, ${period[view.period]}`],
    [names.company, isOpen && view.companySocialReason],
    [names.partner, isOpen && view.partnerName],
    [names.contact, isOpen && mailLink(view.partnerEmail)],
    [names.until, isOpen && !isShort && day(view.expiresAt)],
    [names.serialNumber, !isShort && view.serialNumber],
    [names.notAfter, day(view.notAfter)],
    [names.downloadUntil, view.state === 'ISSUED' && day(view.downloadUntil)],
  ];
  return renderList(rows.flatMap(([name, value]) => (value ? [[name, value] as const] : [])));
}

/** Renders the contact of the partner. */
export function renderContact(
  { partnerName, partnerEmail }: Pick<ClaimView, 'partnerName' | 'partnerEmail'>,
  words: Texts,
): Html {
  return renderList([
    [words.facts.partner, partnerName],
    [words.facts.contact, mailLink(partnerEmail)],
  ]);
}

function mailLink(email: string): Html {
  return html`<a href="mailto:${email}">${email}</a>`;
}

function renderList(rows: readonly (readonly [name: string, value: Html | string])[]): Html {
  return html`<dl>${rows.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`;
}

/** Renders when another code or link can be requested: with scripts as a countdown, without them as a time. */
export function renderWaitHint(
  at: string,
  { context, now }: { readonly context: PageContext; readonly now: Date },
  words: Texts,
): Html | undefined {
  const seconds = Math.ceil((new Date(at).getTime() - now.getTime()) / 1000);
  if (seconds <= 0) return undefined;
  return html`<p class="hint" data-wait="${seconds}" data-begin="${words.nextIn}">${words.next} ${formatDate(at, context, 'time')}.</p>`;
}

/** Renders all faults at the top, each with a link to its field. */
export function renderFaultSummary(
  refused: RefusedFormView | undefined,
  context: Pick<PageContext, 'link' | 'language'>,
): Html | undefined {
  if (refused === undefined || refused.faults.length === 0) return undefined;
  const { language } = context;
  const words = selectTexts(context);
  const item = (fault: RefusedField) => {
    const text = faultText(fault, words);
    return fault.field === 'page'
      ? html`<li>${text}</li>`
      : html`<li><a href="#${fault.field}">${text}</a></li>`;
  };
  const { retryAfterSeconds } = refused;
  return html`<div class="summary" role="alert" tabindex="-1"><h2>${words.problem}</h2><ul>${refused.faults.map(item)}</ul>${retryAfterSeconds !== undefined && html`<p>${words.wait(formatDuration(retryAfterSeconds, language))}</p>`}</div>`;
}

function faultText({ code, field, weakness }: RefusedField, words: Texts): string {
  if (weakness !== undefined) return `${words.weakPassword.begin} ${words.weakPassword[weakness]}`;
  return words.faults[`${field} ${code}`] ?? words.errors.OTHER?.[0] ?? '';
}

export interface FieldOptions {
  readonly name: string;
  readonly label: string;
  readonly hint?: string;
  readonly refused: RefusedFormView | undefined;
  readonly words: Texts;
  readonly attributes: Html;
  /** Content below the field. */
  readonly below?: Html;
}

/** Renders a labelled field with its hint and its fault, connected for screen readers. */
export function renderFormField(options: FieldOptions): Html {
  const { name, label, hint, refused, words, attributes, below } = options;
  const fault = refused?.faults.find((candidate) => candidate.field === name);
  const described = [hint !== undefined && `${name}-hint`, fault && `${name}-fault`]
    .filter(Boolean)
    .join(' ');
  return html`<div class="field"><label for="${name}">${label}</label>${hint !== undefined && html`<p class="hint" id="${name}-hint">${hint}</p>`}${renderFaultNote(fault, words)}
<input id="${name}" name="${name}" ${attributes} required${described !== '' && html` aria-describedby="${described}"`}${fault && html` aria-invalid="true"`}>${below}</div>`;
}

export function renderFaultNote(fault: RefusedField | undefined, words: Texts): Html | undefined {
  return fault && html`<p class="fault" id="${fault.field}-fault">${faultText(fault, words)}</p>`;
}

/** Renders the field for a received code. `isFirst`: it gets the focus. */
export function renderCodeField(options: {
  readonly refused: RefusedFormView | undefined;
  readonly words: Texts;
  readonly isFirst: boolean;
}): Html {
  const { refused, words, isFirst } = options;
  const attributes = html`class="code" type="text" inputmode="numeric" autocomplete="one-time-code" maxlength="9" spellcheck="false" value="${refused?.code ?? ''}"${isFirst && html` autofocus`}`;
  return renderFormField({ name: 'code', label: words.code.label, refused, words, attributes });
}

/** Renders the button that sends a code, with its destination. */
export function renderSendForm(
  { view, context, refused }: Pick<ScreenParts, 'view' | 'context' | 'refused'>,
  words: Texts,
): Html {
  const fault = refused?.faults.find((candidate) => candidate.field === 'send');
  return html`<form method="post" action="${address(context, '/code')}" class="send">${renderFaultNote(fault, words)}
<button id="send" type="submit">${words.code.send}</button><p class="hint">${words.code.willGo[view.codeChannel]} <strong>${view.codeSentTo}</strong>.</p></form>`;
}

/** Renders what to do if the file is lost or stolen. */
export function renderLostNote(
  context: Pick<PageContext, 'link' | 'token' | 'query'>,
  { file }: Texts,
): Html {
  return html`<details><summary>${file.lost}</summary><p>${file.lostText}</p><p><a href="${revokeAddress(context)}">${file.revoke}</a></p></details>`;
}

/**
 * Returns the address of the revocation: below a claim's link, which identifies the certificate; otherwise, the page
 * that asks for it.
 */
export function revokeAddress(context: Pick<PageContext, 'link' | 'token' | 'query'>): string {
  return context.link === 'claim' ? address(context, '/revoke') : `/revoke${context.query}`;
}

/** Renders the link to the supported programs. */
export function renderProgramsLink({ language }: Pick<PageContext, 'language'>, words: Texts): Html {
  return html`<p class="actions"><a class="button quiet" href="/docs/programs?lang=${language}">${words.file.programs}</a></p>`;
}

/** Renders the button to a screen that was reached before; undefined where there is none. */
export function renderContinueButton(
  below: '/code' | '/password' | null,
  context: Pick<PageContext, 'link' | 'token' | 'query' | 'language'>,
): Html | undefined {
  if (below === null) return undefined;
  const { who } = selectTexts(context);
  const label = below === '/code' ? who.haveCode : who.goOn;
  return html`<p class="actions"><a class="button" href="${address(context, below)}">${label}</a></p>`;
}
