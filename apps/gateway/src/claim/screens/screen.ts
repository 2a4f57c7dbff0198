import type { TermsRecord } from '@rubrica/contracts/shared/terms';
import type { ClaimCookies } from '../claim-cookies.ts';
import type { ClaimView, PageContext, Refused } from '../types.ts';

/** What a screen is made of. */
export interface ScreenParts {
  readonly view: ClaimView;
  readonly context: PageContext;
  readonly now: Date;
  /** What the browser keeps for this link. */
  readonly browser: ClaimCookies;
  /** The active terms of the type, where the link may be claimed. */
  readonly terms?: TermsRecord | undefined;
  readonly refused?: Refused | undefined;
}
