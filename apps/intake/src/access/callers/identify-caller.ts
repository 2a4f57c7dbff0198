import { createText } from '@rubrica/contracts/error-texts/create-text';
import type { OperatorRole, ServiceName } from '@rubrica/contracts/shared/enumerations';
import { AppError } from '@rubrica/process/errors';
import type { Keyring } from '@rubrica/process/keyring';
import type { Clock } from '@rubrica/process/time';
import { type AccessToken, createAccessTokenVerifier } from '@rubrica/process/tokens';
import type { Identify, OperatorCaller, PartnerCaller } from '@rubrica/process/trpc';
import { translateDatabaseFault } from '@rubrica/wiring/database';
import { LRUCache } from 'lru-cache';
import type { OperatorDirectory } from '../operators/operator-directory.ts';
import type { PartnerDirectory } from '../partners/partner-directory.ts';
import type { ApiTokenDirectory } from '../partners/tokens/api-token-directory.ts';
import { type SessionDirectory, sessionEnded } from '../sessions/session-directory.ts';

export interface IdentifyCallerDeps {
  readonly keyring: Pick<Keyring, 'openText' | 'verifyStatement' | 'knowsKey'>;
  readonly baseUrl: string;
  readonly tokenClock: Clock;
  readonly partners: Pick<PartnerDirectory, 'get' | 'forget'>;
  readonly operators: OperatorDirectory;
  readonly sessions: SessionDirectory;
  readonly apiTokens: ApiTokenDirectory;
}

export interface IdentifyCaller {
  /** Identifies by rows that are at most a few seconds old, for a call in progress. */
  readonly byRemembered: Identify;
  /** Identifies by rows that are read now, for a token that outlives the call. */
  readonly byRowsOfNow: Identify;
}

export interface CallerDeps {
  readonly callers: IdentifyCaller;
}

/**
 * Grace period after a token's expiry. The gateway judges a token when the headers arrive; the slowest body
 * that it accepts takes under half an hour.
 */
const lateMs = 30 * 60_000;
const maxOpenedTokens = 10_000;

/**
 * Identifies the partner or operator for whom a call is made, by its access token, which the calling service
 * sealed for intake. A token is opened once; its content is cached under the sealed text, with the service
 * that may present it. Current rights are read from the rows at each call, at most a few seconds old.
 * @throws KeyringError for anything but such a token of that service; AppError UNAUTHENTICATED if a right has
 *   ended since, FORBIDDEN for a disabled partner, SERVICE_UNAVAILABLE
 */
export function createIdentifyCaller(deps: IdentifyCallerDeps): IdentifyCaller {
  const { keyring, baseUrl, tokenClock } = deps;
  const nowMs = () => tokenClock().getTime();
  const verify = createAccessTokenVerifier({ keyring, baseUrl, nowMs, lateMs });
  const opened = new LRUCache<string, { readonly token: string; readonly peer: string }>({
    max: maxOpenedTokens,
  });
  const open = async (sealed: string, peer: ServiceName): Promise<AccessToken> => {
    const known = opened.get(sealed);
    if (known !== undefined && known.peer === peer) return verify(known.token);
    const token = await keyring.openText(sealed, { purpose: 'door-token', owner: peer });
    const decoded = verify(token);
    opened.set(sealed, { token, peer });
    return decoded;
  };
  const loadRights = async (decoded: AccessToken) => {
    try {
      return await currentRights(decoded, deps);
    } catch (error) {
      throw translateDatabaseFault(error);
    }
  };
  return {
    byRemembered: async (sealed, peer) => loadRights(await open(sealed, peer)),
    async byRowsOfNow(sealed, peer) {
      const decoded = await open(sealed, peer);
      forget(decoded, deps);
      return loadRights(decoded);
    },
  };
}

function forget({ caller, exchangedFor, sessionId }: AccessToken, deps: IdentifyCallerDeps): void {
  if (caller.kind === 'operator') deps.operators.forget(caller.operatorId);
  else deps.partners.forget(caller.partnerId);
  if (sessionId !== undefined) deps.sessions.forget(sessionId);
  if (exchangedFor !== undefined) deps.apiTokens.forget(exchangedFor);
}

function currentRights(
  decoded: AccessToken,
  deps: IdentifyCallerDeps,
): Promise<PartnerCaller | OperatorCaller> {
  const { caller } = decoded;
  return caller.kind === 'partner'
    ? limitPartner({ ...decoded, caller }, deps)
    : limitOperator({ ...decoded, caller }, deps);
}

/**
 * Limits the token's rights to those that the rows still give: an access token outlives the rights it was
 * issued for.
 */
async function limitPartner(
  { caller, gen, exchangedFor }: AccessToken & { readonly caller: PartnerCaller },
  { partners, apiTokens }: IdentifyCallerDeps,
): Promise<PartnerCaller> {
  const { partnerId } = caller;
  const isExchanged = exchangedFor !== undefined;
  const row = isExchanged ? await partners.get(partnerId) : await loadRow(partnerId, gen, partners);
  if (isExchanged && exchangedFor !== 'issuer') await apiTokens.get(exchangedFor);
  return { ...caller, scopes: caller.scopes.filter((scope) => row.scopes.includes(scope)) };
}

const rank: Readonly<Record<OperatorRole, number>> = { viewer: 0, reviewer: 1, admin: 2 };

async function limitOperator(
  { caller: claimed, gen, sessionId }: AccessToken & { readonly caller: OperatorCaller },
  { operators, sessions }: IdentifyCallerDeps,
): Promise<OperatorCaller> {
  const { role } = await loadRow(claimed.operatorId, gen, operators);
  const caller = rank[role] < rank[claimed.role] ? { ...claimed, role } : claimed;
  if (sessionId === undefined) return caller;
  const { id, operatorId, scope } = await sessions.get(sessionId);
  if (operatorId !== caller.operatorId) throw sessionEnded();
  return { ...caller, session: { id, scope } };
}

interface Directory<Row> {
  get(id: string): Promise<Row>;
  forget(id: string): void;
}

/**
 * Loads the row for which the token was issued, in the state that it had then. If the token is newer than the
 * cached row, the row is read again: signing in after a change must not wait.
 */
async function loadRow<Row extends { readonly gen: number }>(
  id: string,
  gen: number,
  directory: Directory<Row>,
): Promise<Row> {
  const known = await directory.get(id);
  if (known.gen === gen) return known;
  if (known.gen < gen) {
    directory.forget(id);
    const row = await directory.get(id);
    if (row.gen === gen) return row;
  }
  const text = createText('access.tokenEnded');
  throw new AppError({ code: 'UNAUTHENTICATED', text });
}
