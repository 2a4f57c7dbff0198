import { createText } from '@rubrica/contracts/error-texts/create-text';
import type { ErrorText } from '@rubrica/contracts/error-texts/error-text';
import { ifIntact } from '@rubrica/database/guarded';
import { AppError } from '@rubrica/process/errors';
import { KeyringError } from '@rubrica/process/keyring';
import type { UseCase } from '@rubrica/wiring';
import type { AccessDeps } from '../../deps.ts';
import { type PartnerKey, PartnerKeyEntity } from '../keys/partner-key.entity.ts';
import { useAssertion } from '../keys/used-assertions.ts';
import { isSignedBy, readAssertion } from '../keys/verify-assertion.ts';
import { type Partner, PartnerEntity } from '../partner.entity.ts';
import { issuePartnerToken, selectScopes, type TokenDeps } from './issue-partner-token.ts';

type IssueByAssertion = UseCase<'intake', 'tokens.issueByAssertion'>;
type IssueByAssertionDeps = TokenDeps & Pick<AccessDeps, 'database' | 'rows'>;

/**
 * Issues an access token for a JWT that one of the partner's keys has signed (RFC 7523). Only a valid
 * signature uses up the id of an assertion, so that nobody can use up those of others. The id is used up
 * before there is a token, so that a crash allows no second one.
 * @throws AppError UNAUTHENTICATED; FIELD_INVALID for a scope that the client does not have
 */
export function createIssueByAssertion(deps: IssueByAssertionDeps): IssueByAssertion {
  const audiences = [deps.baseUrl, `${deps.baseUrl}/oauth/token`];
  return async ({ clientId, sealedAssertion, scopes: requested }, { peer }) => {
    const assertion = await openAssertion(sealedAssertion, clientId, deps);
    const now = deps.tokenClock();
    const claims = readAssertion(assertion, { audiences, now });
    if ('rejection' in claims) throw unauthenticated(claims.rejection);
    if (claims.clientId !== clientId) throw unauthenticated(createText('access.assertionNamesOther'));
    const { jti, expiresAt, algorithm } = claims;
    // Loaded before its keys: removing a key raises `gen`, so a token by a key that was still there ends at
    // once.
    const partner = await ifIntact(deps.database.fork().findOne(PartnerEntity, { clientId, enabled: true }));
    const keys = partner ? await findIntactKeys(partner, deps) : [];
    if (!partner || !(await isSignedBy(assertion, keys, { algorithm, now })))
      throw unauthenticated(createText('access.assertionKeyUnknown'));
    const scopes = selectScopes(requested, partner.scopes);
    if (!(await useAssertion(deps.database, { partnerId: partner.id, jti, expiresAt })))
      throw unauthenticated(createText('access.assertionRepeated'));
    return issuePartnerToken(partner, { peer, sealedProof: sealedAssertion, scopes }, deps);
  };
}

/** Finds the partner's keys, without any that was written past this service; the other keys stay usable. */
async function findIntactKeys(
  { id: partnerId }: Partner,
  { database, rows }: IssueByAssertionDeps,
): Promise<PartnerKey[]> {
  const em = rows.forShowing(database.fork());
  const keys = await em.find(PartnerKeyEntity, { partnerId, removedAt: null });
  return keys.filter((key) => !rows.hasFailed(key));
}

async function openAssertion(
  sealed: string,
  owner: string,
  { keyring }: Pick<IssueByAssertionDeps, 'keyring'>,
) {
  try {
    return await keyring.openText(sealed, { purpose: 'client-assertion', owner });
  } catch (cause) {
    if (cause instanceof KeyringError)
      throw unauthenticated(createText('access.assertionOtherClient'), cause);
    throw cause;
  }
}

function unauthenticated(text: ErrorText, cause?: unknown): AppError {
  return new AppError({ code: 'UNAUTHENTICATED', text, cause });
}
