import type { Scope } from '@rubrica/contracts/shared/enumerations';
import { ifIntact } from '@rubrica/database';
import { AppError, KeyringError, newTokenBinding, signAccessToken } from '@rubrica/process';
import type { UseCase } from '@rubrica/wiring';
import { sha256Hex } from '../../../base/sha256-hex.ts';
import type { AccessDeps } from '../../deps.ts';
import type { IssuerDeps } from '../issuers/verify-issuer-token.ts';
import { ApiTokenEntity, type Partner, PartnerEntity } from '../partner.entity.ts';
import { apiTokenPrefix } from '../partner-secrets.ts';

type ExchangeToken = UseCase<'intake', 'tokens.exchange'>;
type Needs = Pick<AccessDeps, 'database' | 'clock' | 'tokenClock' | 'keyring' | 'baseUrl'> & IssuerDeps;

/** What a token that was shown is good for, before the partner's own rights are looked at. */
interface Shown {
  readonly partnerId: string;
  readonly scopes: readonly Scope[];
  readonly expiresAtSeconds: number;
  readonly exchangedFor: string;
}

/** Short, because the door remembers the answer by the token for as long as this. */
const lifeSeconds = 60;

/**
 * An access token for an API token or one of a partner's own issuer (RFC 8693 in spirit): what crosses the bus from then
 * on ends soon.
 * @throws AppError UNAUTHENTICATED for a token that is unknown, revoked, expired, or of a partner switched off;
 * SERVICE_UNAVAILABLE where an issuer's keys cannot be had now
 */
export function createExchangeToken(deps: Needs): ExchangeToken {
  return async ({ sealedToken }, { peer }) => {
    const text = await openToken(sealedToken, peer, deps);
    const shown = text.startsWith(apiTokenPrefix)
      ? await findApiToken(text, deps)
      : { ...(await deps.verifyIssuerToken(text)), exchangedFor: 'issuer' };
    const open = { id: shown.partnerId, enabled: true };
    const partner = await ifIntact(deps.database.fork().findOne(PartnerEntity, open));
    if (!partner) throw new AppError({ code: 'UNAUTHENTICATED' });
    const { accessToken, expiresInSeconds } = sign(partner, shown, deps);
    const binding = newTokenBinding(sealedToken);
    return { sealedAccessToken: await deps.keyring.sealTo(peer, accessToken, binding), expiresInSeconds };
  };
}

/** Bound to the service that shows it: nobody else who got hold of the sealed text can have it exchanged. */
async function openToken(sealed: string, owner: string, { keyring }: Needs): Promise<string> {
  try {
    return await keyring.openText(sealed, { purpose: 'entered-token', owner });
  } catch (cause) {
    if (cause instanceof KeyringError) throw new AppError({ code: 'UNAUTHENTICATED', cause });
    throw cause;
  }
}

async function findApiToken(text: string, { database, clock }: Needs): Promise<Shown> {
  const inForce = { tokenSha256: sha256Hex(text), revokedAt: null, expiresAt: { $gt: clock() } };
  const token = await ifIntact(database.fork().findOne(ApiTokenEntity, inForce));
  if (!token) throw new AppError({ code: 'UNAUTHENTICATED' });
  const { id, partnerId, scopes, expiresAt } = token;
  return { partnerId, scopes, expiresAtSeconds: Math.floor(expiresAt.getTime() / 1000), exchangedFor: id };
}

/** No scope that the partner itself has lost meanwhile, and no longer than what was shown is good for. */
function sign(partner: Partner, shown: Shown, { keyring, baseUrl, tokenClock }: Needs) {
  const { id: partnerId, clientId, gen } = partner;
  const scopes = shown.scopes.filter((scope) => partner.scopes.includes(scope));
  const nowMs = tokenClock().getTime();
  const life = Math.min(lifeSeconds, shown.expiresAtSeconds - Math.floor(nowMs / 1000));
  if (life < 1) throw new AppError({ code: 'UNAUTHENTICATED' });
  const caller = { kind: 'partner', partnerId, clientId, scopes } as const;
  const said = { caller, gen, exchangedFor: shown.exchangedFor };
  const accessToken = signAccessToken(keyring, said, { baseUrl, nowMs, lifeSeconds: life });
  return { accessToken, expiresInSeconds: life };
}
