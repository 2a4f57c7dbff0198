import type { OpenIdRefusal } from '@rubrica/contracts/services/schemas/openid';
import type { OperatorRole } from '@rubrica/contracts/shared/enumerations';
import { email } from '@rubrica/contracts/shared/fields';
import { z } from 'zod';
import type { OpenIdProvider } from './openid-settings.ts';

/** Who the provider says has signed in there. */
export interface Identity {
  readonly issuer: string;
  /** The person's id there. It names nobody else, ever; an e-mail address may be given to another person. */
  readonly subject: string;
  readonly email: string;
  /** Undefined where the provider gives none. */
  readonly role: OperatorRole | undefined;
}

export type Judged = Identity | { readonly refusal: OpenIdRefusal };
type Rules = Pick<OpenIdProvider, 'issuer' | 'roleClaim' | 'roles' | 'acr' | 'amr'>;
type Claims = Readonly<Record<string, unknown>>;

const claimsSchema = z.object({
  sub: z.string().min(1).max(255),
  acr: z.string().optional().catch(undefined),
  amr: z.array(z.string()).catch([]),
});
const addressSchema = z.object({
  email: email.toLowerCase(),
  // Of an organisation's own provider many say nothing; some say it in text.
  email_verified: z.union([z.literal(true), z.literal('true')]).optional(),
});

/** What the fields of an id token, whose signature and times have been checked, are worth here. */
export function judgeIdentity(claims: Claims, rules: Rules): Judged {
  const { sub: subject, acr, amr } = claimsSchema.parse(claims);
  if (rules.acr !== undefined && (acr === undefined || !rules.acr.includes(acr)))
    return { refusal: 'second-factor' };
  if (rules.amr !== undefined && !amr.some((one) => rules.amr?.includes(one)))
    return { refusal: 'second-factor' };
  const address = addressSchema.safeParse(claims);
  if (!address.success) return { refusal: 'no-address' };
  return { issuer: rules.issuer, subject, email: address.data.email, role: roleOf(claims, rules) };
}

const rank: readonly OperatorRole[] = ['admin', 'reviewer', 'viewer'];

/** The highest role that a value of the claim gives. */
function roleOf(claims: Claims, { roleClaim, roles }: Rules): OperatorRole | undefined {
  const value = fieldOf(claims, roleClaim);
  const given = [value].flat().filter((one) => typeof one === 'string');
  const held = given.flatMap((one) => (Object.hasOwn(roles, one) ? (roles[one] ?? []) : []));
  return rank.find((role) => held.includes(role));
}

/** Some providers name fields by addresses, which have dots; others keep them in objects. */
function fieldOf(claims: Claims, name: string): unknown {
  if (Object.hasOwn(claims, name)) return claims[name];
  return name.split('.').reduce<unknown>((value, part) => {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, part)) return undefined;
    return (value as Claims)[part];
  }, claims);
}
