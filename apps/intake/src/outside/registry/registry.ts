/** Claims of the applicant, which the registry confirms or denies. */
export interface PersonQuery {
  readonly requestId: string;
  /**
   * Number of the attempt. It grows with every rerun of the step; an attempt resumed after a crash keeps its
   * number. The look-up at registration is `registrationAttempt`.
   */
  readonly attempt: number;
  readonly identificationNumber: string;
  readonly fingerCode: string | null;
  /** Names as the request has them; null if the family sends none and takes the registry's. */
  readonly names: PersonNames | null;
  readonly signal: AbortSignal;
}

/** Attempt number of the look-up at registration, which precedes the attempts of validation. */
export const registrationAttempt = 0;

export interface PersonNames {
  readonly given: string;
  readonly surname: string;
  readonly secondSurname: string | null;
}

export interface Person {
  /** `yyyy-MM-dd` */
  readonly birthDate: string;
  readonly deceased: boolean;
  readonly fingerCodeMatches: boolean;
  readonly namesMatch: boolean;
  /** Names as the registry has them, if none were sent. */
  readonly names: PersonNames | null;
  readonly needsReview: boolean;
  /** Result for the regular family's selfie. False: it shows another person; absent: it was not compared. */
  readonly selfieMatches?: boolean;
}

export type PersonAnswer =
  | { readonly outcome: 'found'; readonly person: Person }
  | { readonly outcome: 'not-found' }
  | { readonly outcome: 'unavailable' };

export interface CompanyQuery {
  readonly requestId: string;
  /** Number of the attempt, as in `PersonQuery`. */
  readonly attempt: number;
  readonly ruc: string;
  readonly identificationNumber: string;
  readonly signal: AbortSignal;
}

export type CompanyAnswer =
  | {
      readonly outcome: 'found';
      readonly active: boolean;
      readonly representedByApplicant: boolean;
      /** Name of the company in the registry; absent if the registry gives none. */
      readonly socialReason?: string | undefined;
    }
  | { readonly outcome: 'not-found' }
  | { readonly outcome: 'unavailable' };

/** Civil and tax registry, as the rules need them. An adapter answers `unavailable` and never throws. */
export interface Registries {
  lookUpPerson(query: PersonQuery): Promise<PersonAnswer>;
  lookUpCompany(query: CompanyQuery): Promise<CompanyAnswer>;
}
