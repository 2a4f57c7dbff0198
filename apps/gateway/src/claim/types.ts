import type * as claimsContract from '@rubrica/contracts/services/schemas/claims';
import type { ErrorDetail } from '@rubrica/contracts/shared/errors';
import type { Weakness } from '@rubrica/password-screen/weakness';

export type { Language } from '../context.ts';

import type { Language } from '../context.ts';

export type ClaimState = claimsContract.ClaimState;
export type ClaimView = claimsContract.ClaimView;

/** Whose page it is, as its address says: of a claim, or of a renewal by the subscriber. */
export type LinkName = 'claim' | 'renew';

/** What a page of a link needs beside its subject. */
export interface PageContext {
  readonly link: LinkName;
  readonly token: string;
  readonly language: Language;
  /** `?lang=…` where the applicant chose a language, to be kept over forms and redirects; else empty. */
  readonly query: string;
  readonly timeZone: string;
}

/** One fault beside its field; of a password that is soon guessed also why. */
export interface RefusedField extends Pick<ErrorDetail, 'code'> {
  readonly field: string;
  readonly weakness?: Weakness | undefined;
}

/** What a refused form brings back to its page: what is wrong, and what was typed, but for passwords. */
export interface Refused {
  readonly faults: readonly RefusedField[];
  readonly code?: string | undefined;
  readonly acceptTerms?: boolean;
  readonly retryAfterSeconds?: number | undefined;
}
