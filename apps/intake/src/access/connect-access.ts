import type { ServiceParts } from '@rubrica/process';
import type { Peers } from '@rubrica/wiring';
import type { BaseDeps } from '../base/deps.ts';
import { mostHashesAtOnce } from '../base/thread-pool.ts';
import { createIdentifyCaller } from './callers/identify-caller.ts';
import type { AccessHandlerDeps } from './handlers.ts';
import { connectOpenId } from './openid/openid-client.ts';
import type { OpenIdSettings } from './openid/openid-settings.ts';
import { createOperatorDirectory } from './operators/operator-directory.ts';
import { createIssuerKeys } from './partners/issuers/issuer-keys.ts';
import { bindingsOf, type IssuerSettings } from './partners/issuers/issuer-settings.ts';
import { createVerifyIssuerToken } from './partners/issuers/verify-issuer-token.ts';
import { createPartnerDirectory } from './partners/partner-directory.ts';
import { createApiTokenDirectory } from './partners/tokens/api-token-directory.ts';
import { type PasskeySettings, relyingPartyOf } from './passkeys/passkey-settings.ts';
import { createPasswordHashes } from './passwords/password-hashes.ts';
import { createSessionDirectory } from './sessions/session-directory.ts';
import type { ApprovalRules, SessionSettings, TokenSettings } from './settings.ts';

/** What ended is seen by every copy within this time; operators are promised 5 s. */
const rightsKeptMs = 3_000;
/** About a second of hashes: beyond it, or on a slow machine after three, a sign-in is refused rather than answered late. */
const waitingForHashes = { waiting: 20, waitMs: 3_000 };

interface AccessConfig {
  readonly baseUrl: string;
  readonly consoleUrl?: string | undefined;
  readonly sandbox: boolean;
  readonly timeZone: string;
  readonly rules: ApprovalRules;
  readonly tokens: TokenSettings;
  readonly operatorSessions: SessionSettings;
  readonly operatorPasskeys: PasskeySettings;
  readonly operatorOpenId: OpenIdSettings;
  readonly passwordHashes?: number | undefined;
  readonly issuers: IssuerSettings;
}

/** Opens directories, and the OpenID provider where operators sign in there. */
export async function connectAccess(
  config: AccessConfig,
  { peers, ...base }: BaseDeps & { readonly peers: Peers<'intake'> },
  parts: ServiceParts,
): Promise<AccessHandlerDeps> {
  const { database, keyring, clock } = base;
  const { baseUrl, consoleUrl = baseUrl, sandbox, timeZone, rules, tokens, operatorSessions } = config;
  const tokenClock = parts.clock.now;
  const directories = {
    partners: createPartnerDirectory({ database, clock, ttlMs: rightsKeptMs, capacity: 10_000 }),
    operators: createOperatorDirectory({ database, clock, ttlMs: rightsKeptMs }),
    sessions: createSessionDirectory({ database, clock, ttlMs: rightsKeptMs }),
  };
  const apiTokens = createApiTokenDirectory({ database, clock, ttlMs: rightsKeptMs });
  return {
    ...base,
    ...directories,
    ...{ tokenClock, rules, timeZone, baseUrl, consoleUrl, sandbox, tokens, operatorSessions },
    passwordHashes: createPasswordHashes({
      atOnce: config.passwordHashes ?? mostHashesAtOnce,
      ...waitingForHashes,
    }),
    relyingParty: relyingPartyOf(config.operatorPasskeys, { consoleUrl, name: operatorSessions.name }),
    verifyIssuerToken: createVerifyIssuerToken({
      bindings: bindingsOf(config.issuers),
      keys: createIssuerKeys({ peers, clock, logger: parts.logger }),
      clock: tokenClock,
    }),
    callers: createIdentifyCaller({ keyring, baseUrl, tokenClock, apiTokens, ...directories }),
    openId: await connectOpenId(config, { ...parts, clock }),
  };
}
