import { html } from '../../pages/html.ts';
import type { Page } from '../../pages/layout.ts';
import { address, reports } from '../claim-link.ts';
import { facts, goOn, heading, logo, sendForm, stepsBar, summary } from '../parts.ts';
import { texts } from '../texts/texts.ts';
import type { ScreenParts } from './screen.ts';

/** The first screen: who and what, the button that sends the code, and the ways out for whom it is not. */
export function whoScreen(parts: ScreenParts): Page {
  const { view, context, browser, refused } = parts;
  const words = texts[context.language];
  const ways = reports.map(
    (report) => html`<li><a href="${address(context, `/${report}`)}">${words.reports[report].title}</a></li>`,
  );
  return {
    title: words.title.OPEN,
    hasPicture: view.hasLogo,
    main: html`${summary(refused, context)}${stepsBar(0, words)}${logo(view, context)}${heading(view, words)}
${facts(view, context)}${goOn(browser.right === undefined ? view.code && '/code' : '/password', context) ?? sendForm(parts, words)}
<section aria-labelledby="wrong"><h2 id="wrong">${words.who.wrong}</h2><ul class="ways">${ways}</ul></section>`,
  };
}
