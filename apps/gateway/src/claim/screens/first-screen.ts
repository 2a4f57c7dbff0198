import { type Html, html } from '@rubrica/html';
import type { Page } from '../../pages/layout.ts';
import { address, reports } from '../claim-link.ts';
import {
  renderCertificateFacts,
  renderContinueButton,
  renderFaultSummary,
  renderLogo,
  renderPageHeading,
  renderSendForm,
  renderSteps,
  revokeAddress,
} from '../render-parts.ts';
import { renewalTexts } from '../texts/renewal-texts.ts';
import { selectTexts, type Texts } from '../texts/texts.ts';
import type { PageContext } from '../types.ts';
import type { ScreenParts } from './screen.ts';

/** Renders the first screen: the facts, the button that sends the code, and the ways to report an error. */
export function renderFirstScreen(parts: ScreenParts): Page {
  const { view, context, browser, refused } = parts;
  const words = selectTexts(context);
  return {
    title: words.title.OPEN,
    hasPicture: view.hasLogo,
    main: html`${renderFaultSummary(refused, context)}${renderSteps(0, words)}${renderLogo(view, context)}${renderPageHeading(view, words)}
${renderCertificateFacts(view, context)}${renderContinueButton(browser.right === undefined ? view.code && '/code' : '/password', context) ?? renderSendForm(parts, words)}
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
