import type { Page } from '../../pages/layout.ts';
import { type Report, reports } from '../claim-link.ts';
import type { ClaimState } from '../types.ts';
import { choosePasswordScreen } from './choose-password-screen.ts';
import { codeScreen } from './code-screen.ts';
import { fileScreen } from './file-screen.ts';
import { endScreen, progressScreen, reportScreen } from './plain-screens.ts';
import type { ScreenParts } from './screen.ts';
import { whoScreen } from './who-screen.ts';

/** A screen that is not the one a link's state begins with. `form`: the whole claim in one, only shown when refused. */
export type Asked = 'begin' | 'code' | 'password' | 'form' | Report;

type Screen = (parts: ScreenParts) => Page;

const first: Readonly<Record<ClaimState, Screen>> = {
  OPEN: whoScreen,
  IN_PROGRESS: progressScreen,
  ISSUED: fileScreen,
  DOWNLOAD_ENDED: endScreen,
  ENDED: endScreen,
};

interface Further {
  readonly show: Screen;
  /** Whether there is anything to do on it now. */
  readonly isOpen: (parts: ScreenParts) => boolean;
}

function whileCodesCount({ view, now }: ScreenParts): boolean {
  return view.code !== null || new Date(view.nextCodeAt) > now;
}

const code: Further = { show: codeScreen, isOpen: whileCodesCount };

const reportScreens = Object.fromEntries(
  reports.map((report) => [
    report,
    { show: (parts: ScreenParts) => reportScreen(parts, report), isOpen: () => true },
  ]),
);

const further: { readonly [State in ClaimState]?: { readonly [Name in Asked]?: Further } } = {
  OPEN: {
    code,
    password: {
      // A browser that keeps no cookies gets the code's field once more.
      show: (parts) => choosePasswordScreen(parts, { withCode: parts.browser.right === undefined }),
      isOpen: ({ view, browser }) => browser.right !== undefined || view.code !== null,
    },
    form: { show: (parts) => choosePasswordScreen(parts, { withCode: true }), isOpen: () => false },
    ...reportScreens,
  },
  ISSUED: { code },
};

/**
 * What an address shows in the state the link is in; undefined where that has nothing to show now, and the browser goes
 * to the link itself. A refused form is always shown.
 */
export function screenOf(asked: Asked, parts: ScreenParts): Page | undefined {
  const { state } = parts.view;
  const screen = further[state]?.[asked];
  if (screen !== undefined && (parts.refused !== undefined || screen.isOpen(parts)))
    return screen.show(parts);
  return asked === 'begin' || parts.refused !== undefined ? first[state](parts) : undefined;
}
