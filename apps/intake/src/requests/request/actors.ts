/**
 * Actor of an applicant in timeline and audit. The value is stored for years, so it keeps the word of the
 * first release.
 */
export const applicantActor = 'holder';
