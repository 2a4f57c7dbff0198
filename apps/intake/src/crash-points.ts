/** Where a test may kill the process; each has a test of its own. */
export const crashPoints = {
  afterValidationBegins: 'intake-after-validation-begins',
  beforeValidationOutcome: 'intake-before-validation-outcome',
  afterValidationOutcome: 'intake-after-validation-outcome',
  beforeIssuanceOutcome: 'intake-before-issuance-outcome',
  afterIssuanceOutcome: 'intake-after-issuance-outcome',
  afterReport: 'intake-after-report',
  afterOwnRevocation: 'intake-after-own-revocation',
  afterClaim: 'intake-after-claim',
  beforeIdentityOutcome: 'intake-before-identity-outcome',
  afterIdentityOutcome: 'intake-after-identity-outcome',
  beforeLivenessSession: 'intake-before-liveness-session',
  afterLivenessSession: 'intake-after-liveness-session',
  beforeLivenessOutcome: 'intake-before-liveness-outcome',
  afterLivenessOutcome: 'intake-after-liveness-outcome',
  afterSuperseded: 'intake-after-superseded',
  afterIssuanceStarts: 'intake-after-issuance-starts',
} as const;
