import { ifIntact } from '@rubrica/database';
import { AppError, KeyringError, signAccessToken } from '@rubrica/process';
import type { UseCase } from '@rubrica/wiring';
import type { IntakeDeps } from '../../context.ts';
import { sha256Hex } from '../../sha256-hex.ts';
import { type ApiToken, ApiTokenEntity, type Partner, PartnerEntity } from '../partner.entity.ts';

type ExchangeToken = UseCase<'intake', 'tokens.exchange'>;
type Needs = Pick<IntakeDeps, 'database' | 'clock' | 'tokenClock' | 'keyring' | 'baseUrl'>;

/** Short, because the door remembers the answer by the API token for as long as this. */
const lifeSeconds = 60;

/**
 * An access token for an API token (RFC 8693 in spirit): what crosses the bus from then on ends soon.
 * @throws AppError UNAUTHENTICATED for a token that is unknown, revoked, expired, or of a partner switched off
 */
export function createExchangeToken(deps: Needs): ExchangeToken {
  return async ({ sealedToken }, { peer }) => {
    const shown = await openToken(sealedToken, peer, deps);
    const em = deps.database.fork();
    const inForce = { tokenSha256: sha256Hex(shown), revokedAt: null, expiresAt: { $gt: deps.clock() } };
    const token = await ifIntact(em.findOne(ApiTokenEntity, inForce));
    const partner =
      token && (await ifIntact(em.findOne(PartnerEntity, { id: token.partnerId, enabled: true })));
    if (!token || !partner) throw new AppError({ code: 'UNAUTHENTICATED' });
    return sign(partner, token, deps);
  };
}

/** Bound to the service that shows it: nobody else who got hold of the sealed text can have it exchanged. */
async function openToken(sealed: string, owner: string, { keyring }: Needs): Promise<string> {
  try {
    return await keyring.openText(sealed, { purpose: 'entered-api-token', owner });
  } catch (cause) {
    if (cause instanceof KeyringError) throw new AppError({ code: 'UNAUTHENTICATED', cause });
    throw cause;
  }
}

/** No scope that the partner itself has lost meanwhile, and no longer than the API token is good for. */
function sign(partner: Partner, token: ApiToken, { keyring, baseUrl, tokenClock }: Needs) {
  const { id: partnerId, clientId, gen } = partner;
  const scopes = token.scopes.filter((scope) => partner.scopes.includes(scope));
  const nowMs = tokenClock().getTime();
  const leftSeconds = Math.max(1, Math.floor((token.expiresAt.getTime() - nowMs) / 1000));
  const life = Math.min(lifeSeconds, leftSeconds);
  const caller = { kind: 'partner', partnerId, clientId, scopes } as const;
  const accessToken = signAccessToken(keyring, { caller, gen }, { baseUrl, nowMs, lifeSeconds: life });
  return { accessToken, expiresInSeconds: life };
}
