import type { ServiceParts } from '@rubrica/process/runner';
import type { Peers } from '@rubrica/wiring';
import type { BaseDeps } from '../base/deps.ts';
import { maxConcurrentHashes } from '../base/thread-pool.ts';
import { createIdentifyCaller } from './callers/identify-caller.ts';
import type { AccessHandlerDeps } from './handlers.ts';
import { connectOpenId } from './openid/openid-client.ts';
import type { OpenIdSettings } from './openid/openid-settings.ts';
import { createOperatorDirectory } from './operators/operator-directory.ts';
import { createIssuerKeys } from './partners/issuers/issuer-keys.ts';
import { type IssuerSettings, toIssuerBindings } from './partners/issuers/issuer-settings.ts';
import { createVerifyIssuerToken } from './partners/issuers/verify-issuer-token.ts';
import { createPartnerDirectory } from './partners/partner-directory.ts';
import { createApiTokenDirectory } from './partners/tokens/api-token-directory.ts';
import { type PasskeySettings, toRelyingParty } from './passkeys/passkey-settings.ts';
import { createPasswordHashes } from './passwords/password-hashes.ts';
import { createSessionDirectory } from './sessions/session-directory.ts';
import type { ApprovalRules, SessionSettings, TokenSettings } from './settings.ts';

/** Time within which every copy sees that a right has ended; operators are promised 5 s. */
const rightsTtlMs = 3_000;
/**
 * Queue of password hashes, about a second of work. Beyond it, or after 3 s on a slow machine, a sign-in is
 * refused rather than answered late.
 */
const hashQueue = { waiting: 20, waitMs: 3_000 };

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

/** Opens directories, and the OpenID provider if operators sign in there. */
export async function connectAccess(
  config: AccessConfig,
  { peers, ...base }: BaseDeps & { readonly peers: Peers<'intake'> },
  parts: ServiceParts,
): Promise<AccessHandlerDeps> {
  const { database, keyring, clock } = base;
  const { baseUrl, consoleUrl = baseUrl, sandbox, timeZone, rules, tokens, operatorSessions } = config;
  const tokenClock = parts.clock.now;
  const directories = {
    partners: createPartnerDirectory({ database, clock, ttlMs: rightsTtlMs, capacity: 10_000 }),
    operators: createOperatorDirectory({ database, clock, ttlMs: rightsTtlMs }),
    sessions: createSessionDirectory({ database, clock, ttlMs: rightsTtlMs }),
  };
  const apiTokens = createApiTokenDirectory({ database, clock, ttlMs: rightsTtlMs });
  return {
    ...base,
    ...directories,
    ...{ tokenClock, rules, timeZone, baseUrl, consoleUrl, sandbox, tokens, operatorSessions },
    passwordHashes: createPasswordHashes({
      atOnce: config.passwordHashes ?? maxConcurrentHashes,
      ...hashQueue,
    }),
    relyingParty: toRelyingParty(config.operatorPasskeys, { consoleUrl, name: operatorSessions.name }),
    verifyIssuerToken: createVerifyIssuerToken({
      bindings: toIssuerBindings(config.issuers),
      keys: createIssuerKeys({ peers, clock, logger: parts.logger }),
      clock: tokenClock,
    }),
    callers: createIdentifyCaller({ keyring, baseUrl, tokenClock, apiTokens, ...directories }),
    openId: await connectOpenId(config, { ...parts, clock }),
  };
}
