import { renderCheckMessage } from '@rubrica/contracts/error-texts/check-message';
import { address, commaList, setting } from '@rubrica/process/config';
import { z } from 'zod';
import { isOutsideSystemAddress } from '../../../outside/outside-address.ts';

/** Binding of a partner's own OpenID Connect issuer, with the rights of its tokens. */
export interface IssuerBinding {
  readonly issuer: string;
  /** Audience of its tokens; a token issued for another service is refused. */
  readonly audience: string;
  /** Field of the token that holds the partner's id. */
  readonly partnerClaim: string;
  /** Partners for which it speaks; for any other its tokens are worthless. */
  readonly partnerIds: readonly string[];
  readonly tokenType: 'at+jwt' | 'JWT';
  /** Hosts of its keys other than its own: `host` or `host:port`. */
  readonly keyHosts: readonly string[];
}

const addressRule = 'must be an https address (http on this machine only) without user, query and fragment';
const issuer = address(['http:', 'https:']).refine(isOutsideSystemAddress, addressRule);
const tokenType = z.enum(['at+jwt', 'JWT']).default('at+jwt');
const partnerClaim = z.string().min(1).default('partner_id');
const partnerIds = z.array(z.uuid().toLowerCase()).min(1).max(1_000);
const keyHosts = z.array(z.string().toLowerCase()).max(20);

const bindingSchema = z.strictObject({
  issuer,
  audience: z.string().min(1),
  partnerClaim,
  partnerIds,
  tokenType,
  keyHosts: keyHosts.default([]),
});

/**
 * Creates the schema of a list of issuers, which reports the position of a fault too. `JSON.parse` alone
 * would end the process with a message that quotes the input.
 */
function createBindingsSchema() {
  return z.string().transform((text, context): IssuerBinding[] => {
    const parsed = z.array(bindingSchema).max(50).safeParse(parseJson(text));
    if (parsed.success) return parsed.data;
    const [fault] = parsed.error.issues;
    const message = renderCheckMessage(fault?.message ?? '');
    context.addIssue(`must be a JSON list of issuers: ${fault?.path.join('.') ?? ''} ${message}`);
    return z.NEVER;
  });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export const issuerSettings = z
  .object({
    issuer: setting(issuer.optional(), {
      env: 'OIDC_ISSUER',
      about: "partner's own OpenID Connect issuer whose access tokens are accepted",
    }),
    audience: setting(z.string().min(1).optional(), {
      env: 'OIDC_AUDIENCE',
      about: 'audience those tokens must name; needed with `OIDC_ISSUER`',
    }),
    partnerClaim: setting(partnerClaim, {
      env: 'OIDC_PARTNER_CLAIM',
      about: "field of those tokens that holds the partner's id",
    }),
    partnerIds: setting(commaList().pipe(partnerIds).optional(), {
      env: 'OIDC_PARTNER_IDS',
      about: 'ids of the partners that this issuer speaks for, divided by commas; needed with `OIDC_ISSUER`',
    }),
    tokenType: setting(tokenType, {
      env: 'OIDC_TOKEN_TYPE',
      about: '`typ` of those tokens: `at+jwt`, or `JWT` for an issuer that makes no others',
    }),
    keyHosts: setting(commaList().pipe(keyHosts).optional(), {
      env: 'OIDC_KEY_HOSTS',
      about: 'hosts where its keys may be, if not at its own, divided by commas',
    }),
    more: setting(createBindingsSchema().optional(), {
      env: 'OIDC_MORE_ISSUERS',
      about:
        'further issuers, a JSON list of `{"issuer","audience","partnerIds","partnerClaim"?,"tokenType"?,"keyHosts"?}`',
    }),
  })
  .superRefine(({ issuer, audience, partnerIds, more = [] }, context) => {
    if (issuer !== undefined && audience === undefined)
      context.addIssue(
        'OIDC_AUDIENCE is required with OIDC_ISSUER: without it a token made for another service would be accepted',
      );
    if (issuer !== undefined && partnerIds === undefined)
      context.addIssue(
        'OIDC_PARTNER_IDS is required with OIDC_ISSUER: without it the issuer would speak for all',
      );
    const names = [issuer, ...more.map((binding) => binding.issuer)].filter((name) => name !== undefined);
    if (new Set(names).size < names.length) context.addIssue('OIDC_MORE_ISSUERS names an issuer twice');
  });

export type IssuerSettings = z.output<typeof issuerSettings>;

export function toIssuerBindings({
  issuer,
  audience,
  partnerIds,
  more = [],
  ...rest
}: IssuerSettings): IssuerBinding[] {
  if (issuer === undefined || audience === undefined || partnerIds === undefined) return more;
  const { partnerClaim, tokenType, keyHosts = [] } = rest;
  return [{ issuer, audience, partnerIds, partnerClaim, tokenType, keyHosts }, ...more];
}
