import type { Caller, VouchedCaller } from '@rubrica/contracts/shared/caller';
import type { ServiceName } from '@rubrica/contracts/shared/enumerations';
import {
  createAccessTokenVerifier,
  createCallTokenVerifier,
  type Identify,
  type Keyring,
  signAccessToken,
  signCallToken,
} from '@rubrica/process';

/** A caller of a test, with the state of its rights that its token is made from; the first without it. */
export type PlayedVouched = VouchedCaller & { readonly gen?: number | undefined };

/** What a test signs with in place of intake, and seals with in place of the service that calls. */
export interface ProvingKeys {
  readonly intake: Pick<Keyring, 'signStatement'>;
  readonly own: Pick<Keyring, 'sealTo'>;
  /** Issuer of the access tokens; that of `testGround` without it. */
  readonly baseUrl?: string;
  /** When the tokens were made; now without it. */
  readonly nowMs?: () => number;
}

interface Proof {
  readonly self: ServiceName;
  readonly receiver: ServiceName;
  readonly keys: ProvingKeys;
}

const groundUrl = 'http://127.0.0.1:3000';

/** What shows a receiver that the call is made for this caller, as intake and the gateway make it. */
export async function proofFor(
  who: Caller,
  { self, receiver, keys: { intake, own, baseUrl = groundUrl, nowMs = Date.now } }: Proof,
): Promise<string | undefined> {
  if (who.kind === 'service' || who.kind === 'public') return undefined;
  const { gen = 1, ...caller } = who as PlayedVouched;
  if (receiver !== 'intake') {
    return signCallToken(intake, caller as VouchedCaller, { receiver, givenTo: self, nowMs: nowMs() });
  }
  const sessionId = who.kind === 'operator' ? who.session?.id : undefined;
  const made = { caller: caller as VouchedCaller, gen, sessionId };
  const token = signAccessToken(intake, made, { baseUrl, nowMs: nowMs(), lifeSeconds: 60 });
  return own.sealTo('intake', token, { purpose: 'door-token', owner: self });
}

/** As the service that is played: it has no rows, so it believes what intake has signed. */
export function identifyAs(
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
