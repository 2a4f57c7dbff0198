import { timingSafeEqual } from 'node:crypto';
import { createText } from '@rubrica/contracts/error-texts/create-text';
import { ifIntact } from '@rubrica/database/guarded';
import { AppError } from '@rubrica/process/errors';
import { KeyringError } from '@rubrica/process/keyring';
import type { UseCase } from '@rubrica/wiring';
import { sha256Hex } from '../../../base/sha256-hex.ts';
import type { AccessDeps } from '../../deps.ts';
import { PartnerEntity } from '../partner.entity.ts';
import { issuePartnerToken, selectScopes, type TokenDeps } from './issue-partner-token.ts';

type IssueAccessToken = UseCase<'intake', 'tokens.issue'>;
type IssueAccessTokenDeps = TokenDeps & Pick<AccessDeps, 'database'>;

/**
 * Issues an access token to a client that presents its secret. The secret has 256 random bits, so a fast hash
 * suffices; the hash itself opens nothing.
 * @throws AppError UNAUTHENTICATED, without saying whether client or secret was wrong; FIELD_INVALID for a
 *   scope that the client does not have
 */
export function createIssueAccessToken(deps: IssueAccessTokenDeps): IssueAccessToken {
  return async ({ clientId, sealedSecret, scopes: requested }, { peer }) => {
    const secret = await openSecret(sealedSecret, clientId, deps);
    const open = { clientId, enabled: true, clientSecretEnabled: true };
    const partner = await ifIntact(deps.database.fork().findOne(PartnerEntity, open));
    if (!partner || !sameHex(partner.clientSecretSha256, sha256Hex(secret))) throw unknownClient();
    return issuePartnerToken(
      partner,
      { peer, sealedProof: sealedSecret, scopes: selectScopes(requested, partner.scopes) },
      deps,
    );
  };
}

async function openSecret(sealed: string, owner: string, { keyring }: Pick<IssueAccessTokenDeps, 'keyring'>) {
  try {
    return await keyring.openText(sealed, { purpose: 'entered-client-secret', owner });
  } catch (cause) {
    if (cause instanceof KeyringError) throw unknownClient(cause);
    throw cause;
  }
}

function unknownClient(cause?: unknown): AppError {
  const text = createText('access.clientRefused');
  return new AppError({ code: 'UNAUTHENTICATED', text, cause });
}

function sameHex(left: string, right: string): boolean {
  const [a, b] = [Buffer.from(left, 'hex'), Buffer.from(right, 'hex')];
  return a.length === b.length && timingSafeEqual(a, b);
}
