import type * as claimsContract from '@rubrica/contracts/services/schemas/claims';
import type { ErrorDetail } from '@rubrica/contracts/shared/errors';
import type { Weakness } from '@rubrica/password-screen/weakness';

export type { Language } from '../context.ts';

import type { Language } from '../context.ts';

export type ClaimState = claimsContract.ClaimState;
export type ClaimView = claimsContract.ClaimView;

/** Kind of link in an address: a claim, or a renewal by the subscriber. */
export type LinkName = 'claim' | 'renew';

/** Context of a page below a link. */
export interface PageContext {
  readonly link: LinkName;
  readonly token: string;
  readonly language: Language;
  /** `?lang=…` where the applicant chose a language, kept over forms and redirects; otherwise empty. */
  readonly query: string;
  readonly timeZone: string;
}

/** Fault of a field; for a weak password with the reason. */
export interface RefusedField extends Pick<ErrorDetail, 'code'> {
  readonly field: string;
  readonly weakness?: Weakness | undefined;
}

/** Content of a refused form: its faults, and the input except passwords. */
export interface RefusedFormView {
  readonly faults: readonly RefusedField[];
  readonly code?: string | undefined;
  readonly acceptTerms?: boolean;
  readonly retryAfterSeconds?: number | undefined;
}
