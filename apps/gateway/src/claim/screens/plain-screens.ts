import { html } from '../../pages/html.ts';
import type { Page } from '../../pages/layout.ts';
import { address, type Report } from '../claim-link.ts';
import { contact, facts, heading, lostNote, programsLink, stepsBar, summary } from '../parts.ts';
import { wordsOf } from '../texts/texts.ts';
import type { ScreenParts } from './screen.ts';

const refreshSeconds = 5;

/** The certificate is being made. */
export function progressScreen({ view, context, refused }: ScreenParts): Page {
  const words = wordsOf(context);
  return {
    title: words.title.IN_PROGRESS,
    main: html`${summary(refused, context)}${stepsBar(3, words)}${heading(view, words)}
<p class="working" data-progress="${address(context, '/progress')}"><span class="spinner" aria-hidden="true"></span><span role="status">${words.progress.working}</span></p>
<noscript><p class="actions"><a class="button quiet" href="${address(context)}">${words.progress.refresh}</a></p></noscript>${facts(view, context)}`,
    refreshSeconds,
  };
}

/** Nothing more can be done here. */
export function endScreen({ view, context, refused }: ScreenParts): Page {
  const words = wordsOf(context);
  if (view.reported !== null) {
    const { title, lead } = words.reported[view.reported];
    return {
      title,
      main: html`<h1 tabindex="-1">${title}</h1><p class="lead">${lead(view.partnerName)}</p>${contact(view, words)}`,
    };
  }
  const hasFile = view.state === 'DOWNLOAD_ENDED';
  return {
    title: words.title[view.state],
    main: html`${summary(refused, context)}${heading(view, words)}${hasFile ? html`${facts(view, context)}<section>${lostNote(context, words)}${programsLink(context, words)}</section>` : contact(view, words)}`,
  };
}

/** Asks once more before it is said that the data are wrong, or that it was another person. */
export function reportScreen({ view, context }: ScreenParts, report: Report): Page {
  const { reports } = wordsOf(context);
  const { title, lead, submit } = reports[report];
  return {
    title,
    main: html`<h1 tabindex="-1">${title}</h1><p class="lead">${lead} <strong>${view.partnerName}</strong>.</p>
<form method="post" action="${address(context, `/${report}`)}"><button type="submit">${submit}</button></form>
<p class="actions"><a class="button quiet" href="${address(context)}">${reports.back}</a></p>`,
  };
}
