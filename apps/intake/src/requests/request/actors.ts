/** Who did something, in timeline and audit: stored for years, so the value keeps the word of the first release. */
export const applicantActor = 'holder';
