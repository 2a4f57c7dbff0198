import type { Caller, VouchedCaller } from '@rubrica/contracts/shared/caller';
import type { ServiceName } from '@rubrica/contracts/shared/enumerations';
import type { Keyring } from '@rubrica/process/keyring';
import {
  createAccessTokenVerifier,
  createCallTokenVerifier,
  signAccessToken,
  signCallToken,
} from '@rubrica/process/tokens';
import type { Identify } from '@rubrica/process/trpc';

/** Caller of a test, with the version of its rights that its token is signed for; 1 by default. */
export type FakeCaller = VouchedCaller & { readonly gen?: number | undefined };

/** Keys that a test signs with in place of intake, and seals with in place of the service that calls. */
export interface FakeTokenKeys {
  readonly intake: Pick<Keyring, 'signStatement'>;
  readonly own: Pick<Keyring, 'sealTo'>;
  /** Issuer of the access tokens; that of `testGround` by default. */
  readonly baseUrl?: string;
  /** Time at which the tokens are signed; now by default. */
  readonly nowMs?: () => number;
}

interface FakeTokenOptions {
  readonly self: ServiceName;
  readonly receiver: ServiceName;
  readonly keys: FakeTokenKeys;
}

const groundUrl = 'http://127.0.0.1:3000';

/** Signs the token that shows a receiver for whom a call is made, as intake and the gateway sign it. */
export async function signFakeToken(
  who: Caller,
  { self, receiver, keys: { intake, own, baseUrl = groundUrl, nowMs = Date.now } }: FakeTokenOptions,
): Promise<string | undefined> {
  if (who.kind === 'service' || who.kind === 'public') return undefined;
  const { gen = 1, ...caller } = who as FakeCaller;
  if (receiver !== 'intake') {
    return signCallToken(intake, caller as VouchedCaller, { receiver, givenTo: self, nowMs: nowMs() });
  }
  const sessionId = who.kind === 'operator' ? who.session?.id : undefined;
  const claims = { caller: caller as VouchedCaller, gen, sessionId };
  const token = signAccessToken(intake, claims, { baseUrl, nowMs: nowMs(), lifeSeconds: 60 });
  return own.sealTo('intake', token, { purpose: 'door-token', owner: self });
}

/** Identifies callers for a fake service. It has no rows, so it accepts every token that intake has signed. */
export function identifyFakeCaller(
  service: ServiceName,
  keyring: Pick<Keyring, 'openText' | 'verifyStatement' | 'knowsKey'>,
): Identify {
  if (service !== 'intake') {
    return createCallTokenVerifier({ keyring, self: service, nowMs: Date.now });
  }
  return async (shown, owner) => {
    const token = await keyring.openText(shown, { purpose: 'door-token', owner });
    const { iss, iat } = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
    return createAccessTokenVerifier({ keyring, baseUrl: iss, nowMs: () => iat * 1_000 })(token).caller;
  };
}
