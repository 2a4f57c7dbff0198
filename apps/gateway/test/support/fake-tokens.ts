import type { VouchedCaller } from '@rubrica/contracts/shared/caller';
import { AppError } from '@rubrica/process/errors';
import type { Keyring } from '@rubrica/process/keyring';
import { newTokenBinding, signAccessToken, signCallToken } from '@rubrica/process/tokens';
import { identifyFakeCaller } from '@rubrica/testkit/fakes';
import type { UseCase } from '@rubrica/wiring';
import { type FakeState, operator, partner } from './fake-state.ts';

/** The gateway's own address in these tests: issuer of all tokens. */
export const baseUrl = 'http://gateway.localhost';

/** A token as intake signs it. */
export function signAsIntake(
  keyring: Pick<Keyring, 'signStatement'>,
  caller: VouchedCaller,
  { lifeSeconds = 1_800, gen = 1, aheadMs = 0 } = {},
): string {
  return signAccessToken(keyring, { caller, gen }, { baseUrl, nowMs: Date.now() + aheadMs, lifeSeconds });
}

interface TokenCalls {
  'tokens.issue': UseCase<'intake', 'tokens.issue'>;
  'tokens.exchange': UseCase<'intake', 'tokens.exchange'>;
  'tokens.forCall': UseCase<'intake', 'tokens.forCall'>;
  'tokens.issueByAssertion': UseCase<'intake', 'tokens.issueByAssertion'>;
  'tokens.signIn': UseCase<'intake', 'tokens.signIn'>;
  'tokens.passkeyOptions': UseCase<'intake', 'tokens.passkeyOptions'>;
  'tokens.passkeySignIn': UseCase<'intake', 'tokens.passkeySignIn'>;
  'tokens.refresh': UseCase<'intake', 'tokens.refresh'>;
}

/** As intake answers the gateway: only who has asked can open it, and only as the answer to that question. */
function sealed(keyring: Keyring, accessToken: string, proof: string): Promise<string> {
  return keyring.sealTo('gateway', accessToken, newTokenBinding(proof));
}

/** Intake's part in `/oauth/token` and in the operators' sign-in. */
export function tokenCalls(state: FakeState, keyring: Keyring): TokenCalls {
  async function session(caller: Extract<VouchedCaller, { kind: 'operator' }>, proof: string) {
    const { role } = caller;
    return {
      sealedAccessToken: await sealed(keyring, signAsIntake(keyring, caller), proof),
      sealedRefreshToken: await keyring.sealTo(
        'gateway',
        operator.refreshToken,
        newTokenBinding(proof, 'new-refresh-token'),
      ),
      expiresInSeconds: 600,
      role,
      scope: 'full',
    } as const;
  }
  return {
    async 'tokens.issue'({ clientId, sealedSecret, scopes: asked }) {
      const binding = { purpose: 'entered-client-secret', owner: clientId } as const;
      const secret = await keyring.openText(sealedSecret, binding);
      if (clientId !== partner.clientId || secret !== partner.clientSecret) {
        throw new AppError({ code: 'UNAUTHENTICATED' });
      }
      const scopes = state.scopes.filter((scope) => asked?.includes(scope) ?? true);
      if (asked !== undefined && asked.length > scopes.length) {
        throw new AppError({ code: 'FIELD_INVALID', publicMessage: 'scope must be one of its own' });
      }
      const { partnerId } = partner;
      const caller = { kind: 'partner', partnerId, clientId, scopes } as const;
      const accessToken = signAsIntake(keyring, caller, { aheadMs: state.intakeAheadMs });
      return {
        sealedAccessToken: await sealed(keyring, accessToken, sealedSecret),
        expiresInSeconds: 1_800,
        scopes,
      };
    },
    async 'tokens.exchange'(input, { peer: owner }) {
      state.exchanged.push(input);
      const binding = { purpose: 'entered-token', owner } as const;
      const shown = await keyring.openText(input.sealedToken, binding);
      if (state.exchangeAway) throw new AppError({ code: 'SERVICE_UNAVAILABLE' });
      const known = [partner.apiToken, partner.ownIssuerToken];
      if (state.tokenRevoked || !known.includes(shown)) throw new AppError({ code: 'UNAUTHENTICATED' });
      const { partnerId, clientId } = partner;
      const caller = { kind: 'partner', partnerId, clientId, scopes: state.scopes } as const;
      const made = signAsIntake(keyring, caller, { lifeSeconds: 60 });
      return { sealedAccessToken: await sealed(keyring, made, input.sealedToken), expiresInSeconds: 60 };
    },
    async 'tokens.forCall'({ sealedToken, receiver }, { peer: givenTo }) {
      const caller = await identifyFakeCaller('intake', keyring)(sealedToken, givenTo);
      if (state.tokenRevoked) throw new AppError({ code: 'UNAUTHENTICATED' });
      return { callToken: signCallToken(keyring, caller, { receiver, givenTo, nowMs: Date.now() }) };
    },
    // Who holds an assertion is decided by the real service; here there is one that is good.
    async 'tokens.issueByAssertion'({ clientId, sealedAssertion }) {
      const binding = { purpose: 'client-assertion', owner: clientId } as const;
      if ((await keyring.openText(sealedAssertion, binding)) !== partner.assertion)
        throw new AppError({ code: 'UNAUTHENTICATED', publicMessage: 'The assertion has expired' });
      const { scopes } = state;
      const { partnerId } = partner;
      const accessToken = signAsIntake(keyring, { kind: 'partner', partnerId, clientId, scopes });
      return {
        sealedAccessToken: await sealed(keyring, accessToken, sealedAssertion),
        expiresInSeconds: 1_800,
        scopes,
      };
    },
    async 'tokens.signIn'({ email, sealedPassword, sealedCode, address }) {
      if (state.slowedAddresses.has(address))
        throw new AppError({ code: 'RATE_LIMITED', retryAfterSeconds: 30 });
      const binding = { purpose: 'operator-password', owner: email.toLowerCase() } as const;
      const password = await keyring.openText(sealedPassword, binding);
      if (email !== operator.email || password !== operator.password) {
        const publicMessage = 'The e-mail or the password is not correct';
        throw new AppError({ code: 'UNAUTHENTICATED', publicMessage });
      }
      const { operatorId } = operator;
      const role = state.operatorRole;
      if (state.codeIsDue) {
        const owned = { purpose: 'operator-code', owner: email.toLowerCase() } as const;
        if (sealedCode === undefined) return { challenge: 'code' };
        if ((await keyring.openText(sealedCode, owned)) !== '123456')
          throw new AppError({ code: 'UNAUTHENTICATED' });
      }
      return session({ kind: 'operator', operatorId, email, role }, sealedPassword);
    },
    'tokens.passkeyOptions': () => ({ challenge: 'asked', rpId: 'localhost', timeoutMs: 300_000 }),
    async 'tokens.passkeySignIn'({ sealedResponse }, { peer: owner }) {
      const binding = { purpose: 'passkey-response', owner } as const;
      const { id } = JSON.parse(await keyring.openText(sealedResponse, binding)) as { id: string };
      if (id !== operator.passkeyId) throw new AppError({ code: 'UNAUTHENTICATED' });
      const { operatorId, email } = operator;
      return session({ kind: 'operator', operatorId, email, role: state.operatorRole }, sealedResponse);
    },
    async 'tokens.refresh'({ sealedRefreshToken }, { peer: owner }) {
      const binding = { purpose: 'entered-refresh-token', owner } as const;
      if ((await keyring.openText(sealedRefreshToken, binding)) !== operator.refreshToken)
        throw new AppError({ code: 'UNAUTHENTICATED' });
      const { operatorId, email } = operator;
      const caller = { kind: 'operator', operatorId, email, role: state.operatorRole } as const;
      return session(caller, sealedRefreshToken);
    },
  };
}
