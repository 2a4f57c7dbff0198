import type { TermsRecord } from '@rubrica/contracts/shared/terms';
import type { ClaimCookies } from '../identify-sender.ts';
import type { ClaimView, PageContext, RefusedFormView } from '../types.ts';

/** Content of a screen. */
export interface ScreenParts {
  readonly view: ClaimView;
  readonly context: PageContext;
  readonly now: Date;
  /** Cookies of the browser for this link. */
  readonly browser: ClaimCookies;
  /** Active terms of the type, where the link may be claimed. */
  readonly terms?: TermsRecord | undefined;
  readonly refused?: RefusedFormView | undefined;
}
