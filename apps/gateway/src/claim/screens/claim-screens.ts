import type { TermsRecord } from '@rubrica/contracts/shared/terms';
import { type Html, html } from '@rubrica/html';
import type { Page } from '../../pages/layout.ts';
import { address } from '../claim-link.ts';
import {
  renderCodeField,
  renderFaultNote,
  renderFaultSummary,
  renderFormField,
  renderSteps,
} from '../render-parts.ts';
import { selectTexts, type Texts } from '../texts/texts.ts';
import type { RefusedFormView } from '../types.ts';
import type { ScreenParts } from './screen.ts';

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
