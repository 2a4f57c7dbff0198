import type { OpenIdRefusal } from '@rubrica/contracts/services/schemas/openid';
import type { OperatorRole } from '@rubrica/contracts/shared/enumerations';
import { email } from '@rubrica/contracts/shared/fields';
import { z } from 'zod';
import type { OpenIdProvider } from './openid-settings.ts';

/** Person who has signed in, as the provider states it. */
export interface Identity {
  readonly issuer: string;
  /**
   * Id of the person at the provider. It never names anybody else; an e-mail address may be given to another
   * person.
   */
  readonly subject: string;
  readonly email: string;
  /** Undefined if the provider gives none. */
  readonly role: OperatorRole | undefined;
}

export type IdentityJudgement = Identity | { readonly refusal: OpenIdRefusal };
type Rules = Pick<OpenIdProvider, 'issuer' | 'roleClaim' | 'roles' | 'acr' | 'amr'>;
type Claims = Readonly<Record<string, unknown>>;

const claimsSchema = z.object({
  sub: z.string().min(1).max(255),
  acr: z.string().optional().catch(undefined),
  amr: z.array(z.string()).catch([]),
});
const addressSchema = z.object({
  email: email.toLowerCase(),
  // Many of the organisations' own providers omit it; some state it as text.
  email_verified: z.union([z.literal(true), z.literal('true')]).optional(),
});

/** Judges the claims of an id token whose signature and times were checked. */
export function judgeIdentity(claims: Claims, rules: Rules): IdentityJudgement {
  const { sub: subject, acr, amr } = claimsSchema.parse(claims);
  if (rules.acr !== undefined && (acr === undefined || !rules.acr.includes(acr)))
    return { refusal: 'second-factor' };
  if (rules.amr !== undefined && !amr.some((value) => rules.amr?.includes(value)))
    return { refusal: 'second-factor' };
  const address = addressSchema.safeParse(claims);
  if (!address.success) return { refusal: 'no-address' };
  return { issuer: rules.issuer, subject, email: address.data.email, role: selectRole(claims, rules) };
}

const rank: readonly OperatorRole[] = ['admin', 'reviewer', 'viewer'];

/** Selects the highest role that a value of the claim gives. */
function selectRole(claims: Claims, { roleClaim, roles }: Rules): OperatorRole | undefined {
  const value = readClaim(claims, roleClaim);
  const texts = [value].flat().filter((text) => typeof text === 'string');
  const grantedRoles = texts.flatMap((text) => (Object.hasOwn(roles, text) ? (roles[text] ?? []) : []));
  return rank.find((role) => grantedRoles.includes(role));
}

/**
 * Reads a claim by its name. Some providers name claims by addresses, which have dots; others nest them in
 * objects.
 */
function readClaim(claims: Claims, name: string): unknown {
  if (Object.hasOwn(claims, name)) return claims[name];
  return name.split('.').reduce<unknown>((value, part) => {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, part)) return undefined;
    return (value as Claims)[part];
  }, claims);
}
