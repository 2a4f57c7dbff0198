import type { Scope } from '@rubrica/contracts/shared/enumerations';
import { ifIntact } from '@rubrica/database/guarded';
import { AppError } from '@rubrica/process/errors';
import { KeyringError } from '@rubrica/process/keyring';
import { newTokenBinding, signAccessToken } from '@rubrica/process/tokens';
import type { UseCase } from '@rubrica/wiring';
import { sha256Hex } from '../../../base/sha256-hex.ts';
import type { AccessDeps } from '../../deps.ts';
import type { IssuerDeps } from '../issuers/verify-issuer-token.ts';
import { ApiTokenEntity, type Partner, PartnerEntity } from '../partner.entity.ts';
import { apiTokenPrefix } from '../partner-secrets.ts';

type ExchangeToken = UseCase<'intake', 'tokens.exchange'>;
type ExchangeTokenDeps = Pick<AccessDeps, 'database' | 'clock' | 'tokenClock' | 'keyring' | 'baseUrl'> &
  IssuerDeps;

/** Rights of the presented token, before the partner's own rights are considered. */
interface PresentedToken {
  readonly partnerId: string;
  readonly scopes: readonly Scope[];
  readonly expiresAtSeconds: number;
  readonly exchangedFor: string;
}

/**
 * Lifetime of the access token. It is short, because the gateway caches the answer by the presented token for
 * as long.
 */
const lifeSeconds = 60;

/**
 * Issues an access token for an API token or a token of a partner's own issuer (RFC 8693 in spirit). The
 * token that crosses the bus from then on ends soon.
 * @throws AppError UNAUTHENTICATED for an unknown, revoked or expired token, or a disabled partner;
 *   SERVICE_UNAVAILABLE if an issuer's keys cannot be fetched now
 */
export function createExchangeToken(deps: ExchangeTokenDeps): ExchangeToken {
  return async ({ sealedToken }, { peer }) => {
    const text = await openToken(sealedToken, peer, deps);
    const presented = text.startsWith(apiTokenPrefix)
      ? await findApiToken(text, deps)
      : { ...(await deps.verifyIssuerToken(text)), exchangedFor: 'issuer' };
    const open = { id: presented.partnerId, enabled: true };
    const partner = await ifIntact(deps.database.fork().findOne(PartnerEntity, open));
    if (!partner) throw new AppError({ code: 'UNAUTHENTICATED' });
    const { accessToken, expiresInSeconds } = sign(partner, presented, deps);
    const binding = newTokenBinding(sealedToken);
    return { sealedAccessToken: await deps.keyring.sealTo(peer, accessToken, binding), expiresInSeconds };
  };
}

/**
 * Opens the token, which is sealed for the service that presents it: a service that copies the sealed text
 * cannot have it exchanged.
 */
async function openToken(sealed: string, owner: string, { keyring }: ExchangeTokenDeps): Promise<string> {
  try {
    return await keyring.openText(sealed, { purpose: 'entered-token', owner });
  } catch (cause) {
    if (cause instanceof KeyringError) throw new AppError({ code: 'UNAUTHENTICATED', cause });
    throw cause;
  }
}

async function findApiToken(text: string, { database, clock }: ExchangeTokenDeps): Promise<PresentedToken> {
  const inForce = { tokenSha256: sha256Hex(text), revokedAt: null, expiresAt: { $gt: clock() } };
  const token = await ifIntact(database.fork().findOne(ApiTokenEntity, inForce));
  if (!token) throw new AppError({ code: 'UNAUTHENTICATED' });
  const { id, partnerId, scopes, expiresAt } = token;
  return { partnerId, scopes, expiresAtSeconds: Math.floor(expiresAt.getTime() / 1000), exchangedFor: id };
}

/**
 * Signs without the scopes that the partner has lost since, and for no longer than the presented token is
 * valid.
 */
function sign(
  partner: Partner,
  presented: PresentedToken,
  { keyring, baseUrl, tokenClock }: ExchangeTokenDeps,
) {
  const { id: partnerId, clientId, gen } = partner;
  const scopes = presented.scopes.filter((scope) => partner.scopes.includes(scope));
  const nowMs = tokenClock().getTime();
  const life = Math.min(lifeSeconds, presented.expiresAtSeconds - Math.floor(nowMs / 1000));
  if (life < 1) throw new AppError({ code: 'UNAUTHENTICATED' });
  const caller = { kind: 'partner', partnerId, clientId, scopes } as const;
  const content = { caller, gen, exchangedFor: presented.exchangedFor };
  const accessToken = signAccessToken(keyring, content, { baseUrl, nowMs, lifeSeconds: life });
  return { accessToken, expiresInSeconds: life };
}
