import { timingSafeEqual } from 'node:crypto';
import type { Scope } from '@rubrica/contracts/shared/enumerations';
import { AppError, KeyringError, signAccessToken } from '@rubrica/process';
import type { UseCase } from '@rubrica/wiring';
import type { IntakeDeps } from '../../context.ts';
import { sha256Hex } from '../../sha256-hex.ts';
import { type Partner, PartnerEntity } from '../partner.entity.ts';

type IssueAccessToken = UseCase<'intake', 'tokens.issue'>;
type Needs = Pick<IntakeDeps, 'database' | 'keyring' | 'tokenClock' | 'baseUrl' | 'tokens'>;

/**
 * An access token for a client that shows its secret. The secret has 256 random bits, so a fast hash holds; the hash
 * itself opens nothing.
 * @throws AppError UNAUTHENTICATED, without saying which of the two was wrong; FIELD_INVALID for a scope it does not have
 */
export function createIssueAccessToken(deps: Needs): IssueAccessToken {
  return async ({ clientId, sealedSecret, scopes: asked }) => {
    const secret = await openSecret(sealedSecret, clientId, deps);
    const partner = await deps.database.fork().findOne(PartnerEntity, { clientId, enabled: true });
    if (!partner || !sameHex(partner.clientSecretSha256, sha256Hex(secret))) throw unknownClient();
    const scopes = grantedScopes(asked, partner.scopes);
    return {
      accessToken: sign(partner, scopes, deps),
      expiresInSeconds: deps.tokens.lifetimeSeconds,
      scopes,
    };
  };
}

async function openSecret(sealed: string, owner: string, { keyring }: Pick<Needs, 'keyring'>) {
  try {
    return await keyring.openText(sealed, { purpose: 'entered-client-secret', owner });
  } catch (cause) {
    if (cause instanceof KeyringError) throw unknownClient(cause);
    throw cause;
  }
}

function sign(partner: Partner, scopes: Scope[], { keyring, tokenClock, baseUrl, tokens }: Needs): string {
  const { id: partnerId, clientId, gen } = partner;
  return signAccessToken(
    keyring,
    { caller: { kind: 'partner', partnerId, clientId, scopes }, gen },
    { baseUrl, nowMs: tokenClock().getTime(), lifeSeconds: tokens.lifetimeSeconds },
  );
}

function unknownClient(cause?: unknown): AppError {
  const publicMessage = 'The client is unknown or its secret is wrong';
  return new AppError({ code: 'UNAUTHENTICATED', publicMessage, cause });
}

function sameHex(left: string, right: string): boolean {
  const [a, b] = [Buffer.from(left, 'hex'), Buffer.from(right, 'hex')];
  return a.length === b.length && timingSafeEqual(a, b);
}

/** All scopes of the client unless it asks for fewer; one that it does not have is refused, not left out. */
function grantedScopes(asked: readonly string[] | undefined, allowed: readonly Scope[]): Scope[] {
  if (asked === undefined) return [...allowed];
  const wanted = new Set(asked);
  const granted = allowed.filter((scope) => wanted.has(scope));
  if (granted.length === wanted.size) return granted;
  throw new AppError({ code: 'FIELD_INVALID', publicMessage: `scope must be some of: ${allowed.join(' ')}` });
}
