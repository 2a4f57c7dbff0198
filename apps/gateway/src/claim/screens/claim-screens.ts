import type { TermsRecord } from '@rubrica/contracts/shared/terms';
import { type Html, html } from '@rubrica/html';
import { selectPluralText } from '../../pages/counts.ts';
import { formatDate } from '../../pages/dates.ts';
import type { Page } from '../../pages/layout.ts';
import { address, reports } from '../claim-link.ts';
import {
  renderCertificateFacts,
  renderCodeField,
  renderContinueButton,
  renderDownloadButtons,
  renderFaultNote,
  renderFaultSummary,
  renderFormField,
  renderLogo,
  renderPageHeading,
  renderSendForm,
  renderSteps,
  renderWaitHint,
  revokeAddress,
} from '../render-parts.ts';
import { renewalTexts } from '../texts/renewal-texts.ts';
import { selectTexts, type Texts } from '../texts/texts.ts';
import type { PageContext, RefusedFormView } from '../types.ts';
import type { ScreenParts } from './screen.ts';

/** Renders the first screen: the facts, the button that sends the code, and the ways to report an error. */
export function renderFirstScreen(parts: ScreenParts): Page {
  const { view, context, browser, refused } = parts;
  const words = selectTexts(context);
  return {
    title: words.title.OPEN,
    hasPicture: view.hasLogo,
    main: html`${renderFaultSummary(refused, context)}${renderSteps(0, words)}${renderLogo(view, context)}${renderPageHeading(view, words)}
${renderCertificateFacts(view, context)}${renderContinueButton(browser.ticket === undefined ? view.code && '/code' : '/password', context) ?? renderSendForm(parts, words)}
<section aria-labelledby="wrong"><h2 id="wrong">${words.who.wrong}</h2>${context.link === 'claim' ? renderReports(context, words) : renderRenewalHints(context)}</section>`,
  };
}

function renderReports(context: PageContext, words: Texts): Html {
  const items = reports.map(
    (report) => html`<li><a href="${address(context, `/${report}`)}">${words.reports[report].title}</a></li>`,
  );
  return html`<ul class="ways">${items}</ul>`;
}

/** Renders the hints of a renewal. The partner corrects wrong data: there is no pending request to refuse. */
function renderRenewalHints(context: PageContext): Html {
  const { wrong, lost, revoke } = renewalTexts[context.language];
  return html`<p>${wrong}</p><p>${lost} <a href="${revokeAddress(context)}">${revoke}</a>.</p>`;
}

/** Initial number of tries; below it the page shows how many are left. */
const maxTries = 5;

/** Renders the form for the code alone, so that a wrong code costs only a try. For a download it returns the file. */
export function renderCodeScreen(parts: ScreenParts): Page {
  const { view, context, refused } = parts;
  const words = selectTexts(context);
  const title = view.code === null ? words.code.spentTitle : words.code.title;
  // With a single field, its own fault is enough; without a valid code the text explains everything.
  const others = refused && { ...refused, faults: refused.faults.filter(({ field }) => field === 'page') };
  return {
    title,
    main: html`${renderFaultSummary(others, context)}${renderSteps(view.state === 'ISSUED' ? 3 : 1, words)}<h1 tabindex="-1">${title}</h1>
${view.code === null ? html`<p class="lead" role="alert">${words.code.spent}</p>` : renderEntry(parts, words)}${renderResendForm(parts, words)}`,
  };
}

function renderEntry({ view, context, refused }: ScreenParts, words: Texts): Html {
  const { code, codeChannel, codeSentTo, state } = view;
  const [below, submit] =
    state === 'ISSUED'
      ? (['/download', words.file.submit] as const)
      : (['/check', words.code.submit] as const);
  const until = code && `${words.code.validUntil} ${formatDate(code.expiresAt, context, 'time')}.`;
  const tries =
    code &&
    code.triesLeft < maxTries &&
    selectPluralText(code.triesLeft, words.code.triesLeft, context.language);
  return html`<p class="lead" role="status">${words.code.wasSent[codeChannel]} <strong>${codeSentTo}</strong>. ${until ?? ''} ${tries || ''}</p>
<form method="post" action="${address(context, below)}"${state === 'ISSUED' && html` data-download`}>
${renderCodeField({ refused, words, isFirst: true })}
${state === 'ISSUED' ? renderDownloadButtons(view, { label: submit, attributes: html`` }, words) : html`<button type="submit">${submit}</button>`}</form>`;
}

function renderResendForm({ view, context, now }: ScreenParts, words: Texts): Html {
  return html`<form method="post" action="${address(context, '/code')}" class="again">
<button id="send" type="submit"${view.code !== null && html` class="quiet"`}>${words.code.sendAgain}</button>${renderWaitHint(view.nextCodeAt, { context, now }, words)}</form>`;
}

/**
 * Renders password and terms. `withCode`: the complete claim in one form, for clients that send it so and browsers
 * without cookies.
 */
export function renderPasswordScreen(
  { context, terms, refused }: ScreenParts,
  { withCode }: { readonly withCode: boolean },
): Page {
  const words = selectTexts(context);
  const { password } = words;
  return {
    title: password.title,
    main: html`${renderFaultSummary(refused, context)}${renderSteps(2, words)}<h1 tabindex="-1">${password.title}</h1><p class="lead">${password.lead}</p>
<form method="post" action="${address(context, withCode ? '' : '/password')}" accept-charset="utf-8">
${withCode && renderCodeField({ refused, words, isFirst: false })}
${renderPasswordFields(refused, words, { isFirst: !withCode && refused === undefined })}
${terms && renderAcceptance(terms, refused, words)}<button type="submit">${password.submit}</button></form>`,
  };
}

function renderPasswordFields(
  refused: RefusedFormView | undefined,
  words: Texts,
  { isFirst }: { isFirst: boolean },
): Html {
  const { password } = words;
  const secret = html`type="password" autocomplete="new-password" minlength="8" maxlength="64"`;
  // Message of a browser without the script; with it, the note below the field appears as soon as such a letter is
  // typed.
  const ascii = html`${secret} pattern="[ -~]*" title="${password.unfit}"${isFirst && html` autofocus`}`;
  const unfit = html`<p class="fault" role="alert" data-unfit hidden>${password.unfit}</p>`;
  const strength = html`<div class="strength" data-words="${password.strength.join('|')}" hidden><span></span><p role="status">${password.strengthLabel}: <b></b></p></div>`;
  const show = html`<button class="plain" type="button" data-show aria-pressed="false" hidden>${password.show}</button>`;
  return html`${renderFormField({ name: 'password', label: password.label, hint: password.hint, refused, words, attributes: ascii, below: html`${unfit}${strength}` })}
${renderFormField({ name: 'passwordConfirmation', label: password.confirmation, refused, words, attributes: html`${secret} data-mismatch="${password.mismatch}"`, below: show })}`;
}

function renderAcceptance(terms: TermsRecord, refused: RefusedFormView | undefined, words: Texts): Html {
  const { password } = words;
  const fault = refused?.faults.find((candidate) => candidate.field === 'acceptTerms');
  const described = fault && html` aria-describedby="acceptTerms-fault" aria-invalid="true"`;
  const checked = refused?.acceptTerms === true && fault === undefined && html` checked`;
  return html`<div class="field"><details><summary>${password.termsRead(terms.version)}</summary><div class="terms" lang="es" role="region" tabindex="0" aria-label="${password.terms}">${terms.content}</div></details>
<input type="hidden" name="termsId" value="${terms.id}">${renderFaultNote(fault, words)}
<label class="check" for="acceptTerms"><input id="acceptTerms" name="acceptTerms" type="checkbox" value="true" required${checked}${described}><span>${password.acceptTerms}</span></label></div>`;
}
