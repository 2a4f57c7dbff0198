import type { Page } from '../../pages/layout.ts';
import { type Report, reports } from '../claim-link.ts';
import type { ClaimState } from '../types.ts';
import { renderCodeScreen, renderFirstScreen, renderPasswordScreen } from './claim-screens.ts';
import { renderFileScreen } from './file-screen.ts';
import { renderEndScreen, renderProgressScreen, renderReportScreen } from './plain-screens.ts';
import type { ScreenParts } from './screen.ts';

/**
 * Screen requested by an address; `begin` is the first of the link's state. `form`: the complete claim in one, only
 * shown when refused.
 */
export type ScreenName = 'begin' | 'code' | 'password' | 'form' | Report;

type Screen = (parts: ScreenParts) => Page;

const initialScreens: Readonly<Record<ClaimState, Screen>> = {
  OPEN: renderFirstScreen,
  IN_PROGRESS: renderProgressScreen,
  ISSUED: renderFileScreen,
  DOWNLOAD_ENDED: renderEndScreen,
  ENDED: renderEndScreen,
};

interface FurtherScreen {
  readonly show: Screen;
  /** Returns whether the screen has an action now. */
  readonly isOpen: (parts: ScreenParts) => boolean;
}

function hasCodeAction({ view, now }: ScreenParts): boolean {
  return view.code !== null || new Date(view.nextCodeAt) > now;
}

const codeEntry: FurtherScreen = { show: renderCodeScreen, isOpen: hasCodeAction };

const reportScreens = Object.fromEntries(
  reports.map((report) => [
    report,
    { show: (parts: ScreenParts) => renderReportScreen(parts, report), isOpen: () => true },
  ]),
);

const furtherScreens: { readonly [State in ClaimState]?: { readonly [Name in ScreenName]?: FurtherScreen } } =
  {
    OPEN: {
      code: codeEntry,
      password: {
        // A browser without cookies gets the field for the code again.
        show: (parts) => renderPasswordScreen(parts, { withCode: parts.browser.ticket === undefined }),
        isOpen: ({ view, browser }) => browser.ticket !== undefined || view.code !== null,
      },
      form: { show: (parts) => renderPasswordScreen(parts, { withCode: true }), isOpen: () => false },
      ...reportScreens,
    },
    ISSUED: { code: codeEntry },
  };

/**
 * Renders the screen of an address in the state of the link. Undefined where it has no action now: the browser is then
 * redirected to the link itself. A refused form is always shown.
 */
export function selectScreen(asked: ScreenName, parts: ScreenParts): Page | undefined {
  const { state } = parts.view;
  const screen = furtherScreens[state]?.[asked];
  if (screen !== undefined && (parts.refused !== undefined || screen.isOpen(parts)))
    return screen.show(parts);
  return asked === 'begin' || parts.refused !== undefined ? initialScreens[state](parts) : undefined;
}
