import { createText } from '@rubrica/contracts/error-texts/create-text';
import type { OperatorRole, ServiceName } from '@rubrica/contracts/shared/enumerations';
import {
  type AccessToken,
  AppError,
  type Clock,
  createAccessTokenVerifier,
  type Identify,
  type Keyring,
  type OperatorCaller,
  type PartnerCaller,
} from '@rubrica/process';
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
  /** By rows that are a few seconds old at most: for a call in hand. */
  readonly byRemembered: Identify;
  /** By rows that are read now: for a token that lives on. */
  readonly byRowsOfNow: Identify;
}

export interface CallerDeps {
  readonly callers: IdentifyCaller;
}

/** The door judges a token when the headers have come; the slowest body that it takes is under half an hour. */
const lateMs = 30 * 60_000;
const maxKept = 10_000;

/**
 * Whom a call is made for: who has shown the access token that it carries, sealed to us by the door. It is opened once;
 * what it was is remembered by its sealed text, with the service that may show it. What the partner or operator may
 * do is asked of the rows at each call, a few seconds old at most.
 * @throws KeyringError for what is not such a token of that door; AppError UNAUTHENTICATED where a right has ended
 *   since, FORBIDDEN for a partner that is switched off, SERVICE_UNAVAILABLE
 */
export function createIdentifyCaller(deps: IdentifyCallerDeps): IdentifyCaller {
  const { keyring, baseUrl, tokenClock } = deps;
  const nowMs = () => tokenClock().getTime();
  const verify = createAccessTokenVerifier({ keyring, baseUrl, nowMs, lateMs });
  const opened = new LRUCache<string, { readonly token: string; readonly door: string }>({ max: maxKept });
  const open = async (sealed: string, door: ServiceName): Promise<AccessToken> => {
    const known = opened.get(sealed);
    if (known !== undefined && known.door === door) return verify(known.token);
    const token = await keyring.openText(sealed, { purpose: 'door-token', owner: door });
    const said = verify(token);
    opened.set(sealed, { token, door });
    return said;
  };
  const rightsOf = async (said: AccessToken) => {
    try {
      return await currentRights(said, deps);
    } catch (error) {
      throw translateDatabaseFault(error);
    }
  };
  return {
    byRemembered: async (sealed, door) => rightsOf(await open(sealed, door)),
    async byRowsOfNow(sealed, door) {
      const said = await open(sealed, door);
      forget(said, deps);
      return rightsOf(said);
    },
  };
}

function forget({ caller, exchangedFor, sessionId }: AccessToken, deps: IdentifyCallerDeps): void {
  if (caller.kind === 'operator') deps.operators.forget(caller.operatorId);
  else deps.partners.forget(caller.partnerId);
  if (sessionId !== undefined) deps.sessions.forget(sessionId);
  if (exchangedFor !== undefined) deps.apiTokens.forget(exchangedFor);
}

function currentRights(said: AccessToken, deps: IdentifyCallerDeps): Promise<PartnerCaller | OperatorCaller> {
  const { caller } = said;
  return caller.kind === 'partner'
    ? partnerNow({ ...said, caller }, deps)
    : operatorNow({ ...said, caller }, deps);
}

/** What the token says and the rows still give: an access token outlives the rights that it was made from. */
async function partnerNow(
  { caller, gen, exchangedFor }: AccessToken & { readonly caller: PartnerCaller },
  { partners, apiTokens }: IdentifyCallerDeps,
): Promise<PartnerCaller> {
  const { partnerId } = caller;
  const isExchanged = exchangedFor !== undefined;
  const row = isExchanged ? await partners.get(partnerId) : await rowOf(partnerId, gen, partners);
  if (isExchanged && exchangedFor !== 'issuer') await apiTokens.get(exchangedFor);
  return { ...caller, scopes: caller.scopes.filter((scope) => row.scopes.includes(scope)) };
}

const rank: Readonly<Record<OperatorRole, number>> = { viewer: 0, reviewer: 1, admin: 2 };

async function operatorNow(
  { caller: said, gen, sessionId }: AccessToken & { readonly caller: OperatorCaller },
  { operators, sessions }: IdentifyCallerDeps,
): Promise<OperatorCaller> {
  const { role } = await rowOf(said.operatorId, gen, operators);
  const caller = rank[role] < rank[said.role] ? { ...said, role } : said;
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
 * The row that the token was made from, in the state that it had then. Where the token is newer than what is remembered
 * of the row, it is read again: who signs in after a change must not wait.
 */
async function rowOf<Row extends { readonly gen: number }>(
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
