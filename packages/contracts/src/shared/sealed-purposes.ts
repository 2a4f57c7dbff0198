/**
 * Everything that is sealed (compact JWE), by purpose, and whose id it is bound to. A service that opens a value says
 * both from its own row or call, so a value fits no other place than the one it was made for. Ids are in lower case.
 */
export const sealedPurposes = {
  'certificate-password': 'The request whose certificate the password opens',
  'evidence-key': 'The request that the encrypted files belong to',
  'shown-evidence-key': 'The SHA-256 (hex) of the token in the evidence link that was followed',
  bundle: 'The request that the PKCS#12 and its password were made for',
  'webhook-secret': 'The partner whose webhook calls are signed with it',
  'webhook-body': 'The event that the body tells of',
  'claim-link': 'The request that the link claims',
  'claim-token': 'The service on whose page the claim link was followed',
  'claim-code': 'The request that the code was sent for',
  'entered-code': 'The SHA-256 (hex) of the token in the claim link on whose page it was entered',
  'claim-right': 'The SHA-256 (hex) of the token in the claim link that the right is shown with',
  'new-claim-right': 'The SHA-256 (hex) of the token in the claim link that the right is good with',
  'revocation-code': 'The service on whose page it was entered',
  'revocation-browser': 'The service whose page the browser shows',
  'code-key': 'The code whose digest is made with the key',
  'entered-client-secret': 'The client id that it was sent with',
  'entered-token': 'The service at whose door the token was shown',
  'new-token': 'The SHA-256 (hex) of the sealed proof that it was asked for with',
  'door-token': 'The service at whose door the access token was shown',
  'entered-invitation': 'The service at whose door the link was followed',
  'chosen-password': 'The SHA-256 (hex) of the token in the link by which it was chosen',
  'operator-link': 'The e-mail that brings the link to an operator',
  'operator-password': 'The e-mail address that the operator signs in with, in lower case',
  'entered-refresh-token': 'The service at whose door the refresh token was shown',
  'new-refresh-token': 'The SHA-256 (hex) of the sealed proof that it was asked for with',
  'refresh-token': "The operator's session that it renews",
  'operator-code': 'The e-mail address that the operator signs in with, in lower case',
  'account-code': 'The operator who enters it, signed in',
  'totp-secret': "The operator's second factor that makes codes with it",
  'totp-secret-shown': 'The operator who enrols it, and is shown it once',
  'recovery-codes': 'The operator who is shown them once',
  'passkey-response': 'The service at whose door it was shown',
  'approval-response': 'The operator who approves, signed in',
  'account-password': 'The operator who enters it, signed in',
  'openid-flow': 'The service at whose door the sign-in at the OpenID provider was begun',
  'openid-answer': 'The service at whose door the OpenID provider has sent the browser back',
  'client-secret': 'The operator who approves the new partner, and is shown the secret once',
  'client-assertion': 'The client id that the assertion is for',
  'shown-webhook-secret': 'The operator who approves the new partner, and is shown the secret once',
  'rotated-secret': 'The operator who approves a new secret, and is shown it once',
  'api-token': 'The operator who approves the token, and is shown it once',
  'evidence-token': 'The service that the address of the evidence was asked of',
  'evidence-link': 'The operator who asks for the link, and is shown it once',
  'issuing-key': 'The SHA-256 (hex) of the public key (SubjectPublicKeyInfo, DER)',
  'liveness-url': 'The request whose applicant proves to be alive',
  'liveness-session': 'The request whose applicant proves to be alive',
  'liveness-page': 'The service on whose page the session was followed',
} as const satisfies Record<string, string>;

export type SealedPurpose = keyof typeof sealedPurposes;

/** What a sealed value is for, and the id of its owner as `sealedPurposes` says. */
export interface SealBinding {
  readonly purpose: SealedPurpose;
  readonly owner: string;
}
