import type { TermsRecord } from '@rubrica/contracts/shared/terms';
import { programsPath } from '../docs/programs/programs-page.ts';
import { dateText } from '../pages/dates.ts';
import { type Html, html } from '../pages/html.ts';
import type { Page } from '../pages/layout.ts';
import { codeField, facts, faultNote, field, heading, stepsBar, summary } from './parts.ts';
import { type Texts, texts } from './texts.ts';
import type { ClaimState, ClaimView, PageContext, Refused } from './types.ts';

export interface PageParts {
  readonly view: ClaimView;
  readonly context: PageContext;
  readonly now: Date;
  /** The active terms of the type, where the link may be claimed. */
  readonly terms?: TermsRecord | undefined;
  readonly refused?: Refused | undefined;
}

const refreshSeconds = 5;

const mains: Readonly<Record<ClaimState, (parts: PageParts, words: Texts) => Html>> = {
  OPEN: (parts, words) => html`${stepsBar('OPEN', words)}${heading(parts.view, words)}
${facts(parts.view, parts.context)}${codeSection(parts, words, '1')}${claimSection(parts, words)}`,
  IN_PROGRESS: ({ view, context }, words) => html`${stepsBar('IN_PROGRESS', words)}${heading(view, words)}
<p class="working" data-progress="${address(context, '/progress')}"><span class="spinner" aria-hidden="true"></span><span role="status">${words.progress.working}</span></p>
<noscript><p class="actions"><a class="button quiet" href="${address(context)}">${words.progress.refresh}</a></p></noscript>${facts(view, context)}`,
  ISSUED: (parts, words) => html`${stepsBar('ISSUED', words)}${heading(parts.view, words)}
${facts(parts.view, parts.context)}${codeSection(parts, words, '1')}${downloadSection(parts, words)}`,
  DOWNLOAD_ENDED: ({ view, context }, words) =>
    html`${heading(view, words)}${facts(view, context)}${programsLink(context, words)}`,
  ENDED: ({ view }, words) => heading(view, words),
};

/** The page of a link in the state it is in, with the faults of a form that was refused. */
export function claimPage(parts: PageParts): Page {
  const { view, context, refused } = parts;
  const words = texts[context.language];
  return {
    title: words.title[view.state],
    main: html`${summary(refused, words)}${mains[view.state](parts, words)}`,
    ...(view.state === 'IN_PROGRESS' ? { refreshSeconds } : {}),
  };
}

/** Below the link, with the language that was chosen. */
export function address({ token, query }: Pick<PageContext, 'token' | 'query'>, below = ''): string {
  return `/claim/${token}${below}${query}`;
}

function codeSection({ view, context, now, refused }: PageParts, words: Texts, number: string): Html {
  const { code, codeChannel, codeSentTo, nextCodeAt } = view;
  const time = (instant: string) => dateText(instant, context, 'time');
  const fault = refused?.faults.find((one) => one.field === 'send');
  const told =
    code === null
      ? html`<p>${words.code.willGo[codeChannel]} <strong>${codeSentTo}</strong>.</p>`
      : html`<p role="status">${words.code.wasSent[codeChannel]} <strong>${codeSentTo}</strong>. ${words.code.validUntil} ${time(code.expiresAt)}. ${words.code.triesLeft(code.triesLeft)}</p>`;
  const mustWait =
    new Date(nextCodeAt) > now && html`<p class="hint">${words.code.next} ${time(nextCodeAt)}.</p>`;
  return html`<section aria-labelledby="code-heading"><h2 id="code-heading"><span class="number" aria-hidden="true">${number}</span>${words.code.heading}</h2>
${told}<form method="post" action="${address(context, '/code')}">${faultNote(fault, words)}
<button id="send" type="submit"${code !== null && html` class="quiet"`}>${code === null ? words.code.send : words.code.sendAgain}</button></form>${mustWait}</section>`;
}

function claimSection({ context, terms, refused }: PageParts, words: Texts): Html {
  const { claim } = words;
  const secret = html`type="password" autocomplete="new-password" minlength="8" maxlength="64"`;
  // What a browser without the script says; with it, the note below the field comes as soon as such a letter is typed.
  const ascii = html`${secret} pattern="[ -~]*" title="${claim.unfit}"`;
  const unfit = html`<p class="fault" role="alert" data-unfit hidden>${claim.unfit}</p>`;
  const strength = html`<div class="strength" data-words="${claim.strength.join('|')}" hidden><span></span><p role="status">${claim.strengthLabel}: <b></b></p></div>`;
  const show = html`<button class="plain" type="button" data-show aria-pressed="false" hidden>${claim.show}</button>`;
  return html`<section aria-labelledby="claim-heading"><h2 id="claim-heading"><span class="number" aria-hidden="true">2</span>${claim.heading}</h2>
<form method="post" action="${address(context)}" accept-charset="utf-8">
${codeField(refused, words)}
${field({ name: 'password', label: claim.password, hint: claim.passwordHint, refused, words, attributes: ascii, below: html`${unfit}${strength}` })}
${field({ name: 'passwordConfirmation', label: claim.passwordConfirmation, refused, words, attributes: html`${secret} data-mismatch="${claim.mismatch}"`, below: show })}
${terms && acceptance(terms, refused, words)}<button type="submit">${claim.submit}</button></form></section>`;
}

function acceptance(terms: TermsRecord, refused: Refused | undefined, words: Texts): Html {
  const { claim } = words;
  const fault = refused?.faults.find((one) => one.field === 'acceptTerms');
  const described = fault && html` aria-describedby="acceptTerms-fault" aria-invalid="true"`;
  const kept = refused?.acceptTerms === true && fault === undefined && html` checked`;
  return html`<div class="field"><details><summary>${claim.termsRead(terms.version)}</summary><div class="terms" lang="es">${terms.content}</div></details>
<input type="hidden" name="termsId" value="${terms.id}">${faultNote(fault, words)}
<label class="check" for="acceptTerms"><input id="acceptTerms" name="acceptTerms" type="checkbox" value="true" required${kept}${described}><span>${claim.acceptTerms}</span></label></div>`;
}

function downloadSection({ context, refused }: PageParts, words: Texts): Html {
  const { download } = words;
  return html`<section aria-labelledby="download-heading"><h2 id="download-heading"><span class="number" aria-hidden="true">2</span>${download.heading}</h2>
<form method="post" action="${address(context, '/download')}">
${codeField(refused, words)}
<button type="submit">${download.submit}</button></form><p class="hint">${download.hint}</p>${programsLink(context, words)}</section>`;
}

/** Where the subscriber goes with the file. */
function programsLink({ language }: PageContext, words: Texts): Html {
  return html`<p class="actions"><a class="button quiet" href="${programsPath}?lang=${language}">${words.download.programs}</a></p>`;
}
