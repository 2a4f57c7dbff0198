import type { UseCase } from '@rubrica/wiring';
import type { AccessDeps } from '../deps.ts';
import { createTryLink, lockInvitation } from './try-link.ts';

type ReadInvitation = UseCase<'intake', 'invitations.read'>;
type ReadInvitationDeps = Pick<AccessDeps, 'database' | 'keyring' | 'clock'>;

/**
 * Returns the account of a link, for the page that it opens.
 * @throws AppError UNAUTHENTICATED, RATE_LIMITED
 */
export function createReadInvitation(deps: ReadInvitationDeps): ReadInvitation {
  const tryLink = createTryLink(deps);
  return (input, { peer }) =>
    tryLink(input, peer, async (tokenSha256) => {
      const { invitation, operator } = await deps.database.transaction((em) =>
        lockInvitation(em, tokenSha256, deps.clock()),
      );
      const { kind, expiresAt } = invitation;
      const { email, role } = operator;
      return { email, role, kind, expiresAt: expiresAt.toISOString() };
    });
}
