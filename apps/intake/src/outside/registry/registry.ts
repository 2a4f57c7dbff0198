/** What the applicant claims; the registry says whether it is so. */
export interface PersonQuery {
  readonly requestId: string;
  /**
   * Grows with every rerun of the step; the same attempt, resumed after a crash, keeps its number. The look-up at
   * registration is `registrationAttempt`.
   */
  readonly attempt: number;
  readonly identificationNumber: string;
  readonly fingerCode: string | null;
  /** As the request has them; null where the family sends none and takes the registry's. */
  readonly names: PersonNames | null;
  readonly signal: AbortSignal;
}

/** Comes before the attempts of validation and is not one of them. */
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
  /** As the registry has them, where none were sent. */
  readonly names: PersonNames | null;
  readonly needsReview: boolean;
  /** Of the regular family's selfie. False: of another person; absent: it was not compared. */
  readonly selfieMatches?: boolean;
}

export type PersonAnswer =
  | { readonly outcome: 'found'; readonly person: Person }
  | { readonly outcome: 'not-found' }
  | { readonly outcome: 'unavailable' };

export interface CompanyQuery {
  readonly requestId: string;
  /** As in `PersonQuery`. */
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
      /** The company's name there; absent where the registry tells none. */
      readonly socialReason?: string | undefined;
    }
  | { readonly outcome: 'not-found' }
  | { readonly outcome: 'unavailable' };

/** The civil and the tax registry, as the rules need them. An adapter answers `unavailable`, it does not throw. */
export interface Registries {
  lookUpPerson(query: PersonQuery): Promise<PersonAnswer>;
  lookUpCompany(query: CompanyQuery): Promise<CompanyAnswer>;
}
