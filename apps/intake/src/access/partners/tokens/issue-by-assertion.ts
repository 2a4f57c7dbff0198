import { createText } from '@rubrica/contracts/error-texts/create-text';
import type { ErrorText } from '@rubrica/contracts/error-texts/error-text';
import { ifIntact } from '@rubrica/database';
import { AppError, KeyringError } from '@rubrica/process';
import type { UseCase } from '@rubrica/wiring';
import type { AccessDeps } from '../../deps.ts';
import { type PartnerKey, PartnerKeyEntity } from '../keys/partner-key.entity.ts';
import { useAssertion } from '../keys/used-assertions.ts';
import { isSignedBy, readAssertion } from '../keys/verify-assertion.ts';
import { type Partner, PartnerEntity } from '../partner.entity.ts';
import { grantedScopes, makeToken, type TokenDeps } from './make-token.ts';

type IssueByAssertion = UseCase<'intake', 'tokens.issueByAssertion'>;
type Needs = TokenDeps & Pick<AccessDeps, 'database' | 'rows'>;

/**
 * An access token for a JWT that one of the partner's keys has signed (RFC 7523). Its id is used up only by a signature
 * that holds, so that nobody can use up those of others, and before there is a token, so that a crash leaves none twice.
 * @throws AppError UNAUTHENTICATED; FIELD_INVALID for a scope that the client does not have
 */
export function createIssueByAssertion(deps: Needs): IssueByAssertion {
  const audiences = [deps.baseUrl, `${deps.baseUrl}/oauth/token`];
  return async ({ clientId, sealedAssertion, scopes: asked }, { peer }) => {
    const assertion = await openAssertion(sealedAssertion, clientId, deps);
    const now = deps.tokenClock();
    const claimed = readAssertion(assertion, { audiences, now });
    if ('rejection' in claimed) throw refused(claimed.rejection);
    if (claimed.clientId !== clientId) throw refused(createText('access.assertionNamesOther'));
    const { jti, expiresAt, algorithm } = claimed;
    // Before its keys: whoever removes one raises `gen`, so a token by a key that was still there then ends at once.
    const partner = await ifIntact(deps.database.fork().findOne(PartnerEntity, { clientId, enabled: true }));
    const keys = partner ? await keysOf(partner, deps) : [];
    if (!partner || !(await isSignedBy(assertion, keys, { algorithm, now })))
      throw refused(createText('access.assertionKeyUnknown'));
    const scopes = grantedScopes(asked, partner.scopes);
    if (!(await useAssertion(deps.database, { partnerId: partner.id, jti, expiresAt })))
      throw refused(createText('access.assertionRepeated'));
    return makeToken(partner, { peer, sealedProof: sealedAssertion, scopes }, deps);
  };
}

/** One that was written past this service is no key; those beside it are. */
async function keysOf({ id: partnerId }: Partner, { database, rows }: Needs): Promise<PartnerKey[]> {
  const em = rows.forShowing(database.fork());
  const keys = await em.find(PartnerKeyEntity, { partnerId, removedAt: null });
  return keys.filter((key) => !rows.hasFailed(key));
}

async function openAssertion(sealed: string, owner: string, { keyring }: Pick<Needs, 'keyring'>) {
  try {
    return await keyring.openText(sealed, { purpose: 'client-assertion', owner });
  } catch (cause) {
    if (cause instanceof KeyringError) throw refused(createText('access.assertionOtherClient'), cause);
    throw cause;
  }
}

function refused(text: ErrorText, cause?: unknown): AppError {
  return new AppError({ code: 'UNAUTHENTICATED', text, cause });
}
