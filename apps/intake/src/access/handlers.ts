import type { WingHandlers } from '../base/wing-handlers.ts';
import { createCheckAdministrators } from './accounts/administrators.ts';
import { createChangeRole } from './accounts/change-role.ts';
import { createEndOperatorSessions } from './accounts/end-operator-sessions.ts';
import { createGetOperator } from './accounts/get-operator.ts';
import { createInviteOperator } from './accounts/invite-operator.ts';
import { createListOperators } from './accounts/list-operators.ts';
import { createEndSession, createOwnSessions, createSignOut } from './accounts/own-sessions.ts';
import { createResetFactors } from './accounts/reset-factors.ts';
import { createDisableOperator, createEnableOperator } from './accounts/switch-operator.ts';
import type { CallerDeps } from './callers/identify-caller.ts';
import { createTokenForCall } from './callers/token-for-call.ts';
import type { AccessDeps } from './deps.ts';
import { createEnrolTotp } from './factors/enrol-totp.ts';
import { createRemoveFactor } from './factors/remove-factor.ts';
import { createAcceptInvitation } from './invitations/accept-invitation.ts';
import { createReadInvitation } from './invitations/read-invitation.ts';
import { createFinishOpenId } from './openid/finish-openid.ts';
import type { OpenIdDeps } from './openid/openid-client.ts';
import { createStartOpenId } from './openid/start-openid.ts';
import type { OperatorDeps } from './operators/operator-directory.ts';
import { createCreatePartner } from './partners/create-partner.ts';
import { createGetPartner } from './partners/get-partner.ts';
import { createIssueToken } from './partners/issue-token.ts';
import type { IssuerDeps } from './partners/issuers/verify-issuer-token.ts';
import { createAddKey } from './partners/keys/add-key.ts';
import { createRemoveKey } from './partners/keys/remove-key.ts';
import { createListPartners } from './partners/list-partners.ts';
import { createGetLogo } from './partners/logo/get-logo.ts';
import { createPartnerContact } from './partners/partner-contact.ts';
import type { PartnerDeps } from './partners/partner-directory.ts';
import { createRevokeToken } from './partners/revoke-token.ts';
import { createRotateSecret } from './partners/rotate-secret.ts';
import { createExchangeToken } from './partners/tokens/exchange-token.ts';
import { createIssueAccessToken } from './partners/tokens/issue-access-token.ts';
import { createIssueByAssertion } from './partners/tokens/issue-by-assertion.ts';
import { createUpdatePartner } from './partners/update-partner.ts';
import { createConfirmApproval, createPasskeyOptionsOfApproval } from './passkeys/confirm-approval.ts';
import { createEnrolPasskey } from './passkeys/enrol-passkey.ts';
import type { PasskeyDeps } from './passkeys/passkey-settings.ts';
import type { PasswordDeps } from './passwords/password-hashes.ts';
import { createChangePassword } from './sessions/change-password.ts';
import { createRefreshSession } from './sessions/refresh-session.ts';
import type { SessionDirectoryDeps } from './sessions/session-directory.ts';
import { createPasskeyOptions, createPasskeySignIn } from './sign-in/passkey-sign-in.ts';
import { createSignIn } from './sign-in/sign-in.ts';

export type AccessHandlerDeps = AccessDeps &
  CallerDeps &
  IssuerDeps &
  OpenIdDeps &
  OperatorDeps &
  PartnerDeps &
  PasskeyDeps &
  PasswordDeps &
  SessionDirectoryDeps;

/** Creates the handlers of calls about partners, operators, their sessions and tokens. */
export function createAccessHandlers(deps: AccessHandlerDeps) {
  return {
    calls: {
      'administrators.standing': createCheckAdministrators(deps),
      'administrators.passkeyOptions': createPasskeyOptionsOfApproval(deps),
      'administrators.confirmApproval': createConfirmApproval(deps),
      'tokens.issue': createIssueAccessToken(deps),
      'tokens.issueByAssertion': createIssueByAssertion(deps),
      'tokens.signIn': createSignIn(deps),
      'invitations.read': createReadInvitation(deps),
      'invitations.accept': createAcceptInvitation(deps),
      'tokens.passkeyOptions': createPasskeyOptions(deps),
      'tokens.passkeySignIn': createPasskeySignIn(deps),
      'tokens.refresh': createRefreshSession(deps),
      'tokens.startOpenId': createStartOpenId(deps),
      'tokens.finishOpenId': createFinishOpenId(deps),
      'tokens.exchange': createExchangeToken(deps),
      'tokens.forCall': createTokenForCall(deps),
      'partners.contact': createPartnerContact(deps),
    },
    operators: {
      'auth.sessions': createOwnSessions(deps),
      'auth.signOut': createSignOut(deps),
      'auth.endSession': createEndSession(deps),
      'auth.changePassword': createChangePassword(deps),
      'auth.enrolPasskey': createEnrolPasskey(deps),
      'auth.enrolTotp': createEnrolTotp(deps),
      'auth.removeFactor': createRemoveFactor(deps),
      'partners.list': createListPartners(deps),
      'partners.get': createGetPartner(deps),
      'partners.logo': createGetLogo(deps),
      'operators.list': createListOperators(deps),
      'operators.get': createGetOperator(deps),
    },
    changes: {
      'partners.create': createCreatePartner(deps),
      'partners.update': createUpdatePartner(deps),
      'partners.rotateSecret': createRotateSecret(deps),
      'partners.addKey': createAddKey(deps),
      'partners.removeKey': createRemoveKey(deps),
      'partners.issueToken': createIssueToken(deps),
      'partners.revokeToken': createRevokeToken(deps),
      'operators.changeRole': createChangeRole(deps),
      'operators.disable': createDisableOperator(deps),
      'operators.enable': createEnableOperator(deps),
      'operators.invite': createInviteOperator(deps),
      'operators.resetFactors': createResetFactors(deps),
      'operators.endSessions': createEndOperatorSessions(deps),
    },
  } satisfies WingHandlers;
}
