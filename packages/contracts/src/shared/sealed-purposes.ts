/**
 * Purposes of all sealed values (compact JWE), each with the id that binds it. A service that opens a value takes both
 * from its own row or call, so a value cannot be used elsewhere. Ids are in lower case.
 */
export const sealedPurposes = {
  'certificate-password': 'The request whose certificate the password opens',
  'evidence-key': 'The request that the encrypted files belong to',
  'shown-evidence-key': 'The SHA-256 (hex) of the token in the evidence link that was followed',
  bundle: 'The request of the PKCS#12 and its password',
  'webhook-secret': 'The partner whose webhook calls the secret signs',
  'webhook-body': 'The event that the body reports',
  'claim-link': 'The request that the link claims',
  'claim-token': 'The service whose page the claim link opened',
  'claim-code': 'The request that the code was sent for',
  'entered-code': 'The SHA-256 (hex) of the token in the claim link whose page received the code',
  'claim-right': 'The SHA-256 (hex) of the token in the claim link that is sent with the ticket',
  'new-claim-right': 'The SHA-256 (hex) of the token in the claim link that the ticket is valid with',
  'revocation-code': 'The service whose page received the code',
  'revocation-browser': 'The service whose page the browser shows',
  'code-key': 'The code whose digest is computed with the key',
  'entered-client-secret': 'The client id that was sent with the secret',
  'entered-token': 'The service that received the token',
  'new-token': 'The SHA-256 (hex) of the sealed proof that it was asked for with',
  'door-token': 'The service that received the access token',
  'entered-invitation': 'The service that received the token of the link',
  'chosen-password': 'The SHA-256 (hex) of the token in the link that was used to choose the password',
  'operator-link': 'The e-mail with the link to an operator',
  'operator-password': 'The e-mail address that the operator signs in with, in lower case',
  'entered-refresh-token': 'The service that received the refresh token',
  'new-refresh-token': 'The SHA-256 (hex) of the sealed proof that it was asked for with',
  'refresh-token': "The operator's session that it renews",
  'operator-code': 'The e-mail address that the operator signs in with, in lower case',
  'account-code': 'The signed-in operator who enters the code',
  'totp-secret': "The operator's second factor whose codes the secret generates",
  'totp-secret-shown': 'The operator who enrols the factor and is shown the secret once',
  'recovery-codes': 'The operator who is shown them once',
  'passkey-response': 'The service that received the response',
  'approval-response': 'The signed-in operator who approves',
  'account-password': 'The signed-in operator who enters the password',
  'openid-flow': 'The service where the sign-in at the OpenID provider began',
  'openid-answer': 'The service to which the OpenID provider has redirected the browser',
  'client-secret': 'The operator who approves the new partner, and is shown the secret once',
  'client-assertion': 'The client id that the assertion is for',
  'shown-webhook-secret': 'The operator who approves the new partner, and is shown the secret once',
  'rotated-secret': 'The operator who approves a new secret, and is shown it once',
  'api-token': 'The operator who approves the token, and is shown it once',
  'evidence-token': 'The service that received the evidence request',
  'evidence-link': 'The operator who requests the link and is shown it once',
  'issuing-key': 'The SHA-256 (hex) of the public key (SubjectPublicKeyInfo, DER)',
  'liveness-url': 'The request whose applicant completes the proof of life',
  'liveness-session': 'The request whose applicant completes the proof of life',
  'liveness-page': 'The service whose page the session opened',
} as const satisfies Record<string, string>;

export type SealedPurpose = keyof typeof sealedPurposes;

/** Purpose of a sealed value, and the id of its owner according to `sealedPurposes`. */
export interface SealBinding {
  readonly purpose: SealedPurpose;
  readonly owner: string;
}
